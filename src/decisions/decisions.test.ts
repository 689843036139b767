import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { baseRates } from '../domain/money.ts'
import { dayHours, hourMs } from '../domain/time.ts'
import { viewNamespace } from '../recommendations/containers/answer/view-namespace.case.ts'
import type { SizesRequest } from '../recommendations/containers/query.ts'
import { recommendSizes } from '../recommendations/containers/recommend-sizes.case.ts'
import type { NamespaceRecommendation } from '../recommendations/containers/schema.ts'
import { depsAt, queryUntil, storePods } from '../recommendations/containers/test-namespaces.case.ts'
import { gatherEvidence } from '../rightsizing/evidence.ts'
import { spansOf } from '../rightsizing/usage.case.ts'
import { openStore } from '../store/open.ts'
import type { Store } from '../store/port.ts'
import type { Container } from '../usage/reading/containers.ts'
import { firstHour, type SyntheticPod } from '../usage/reading/pods.case.ts'
import { decideSizes } from './decide-day.ts'
import type { SizeDecision } from './decision.ts'
import { decodeDecision, encodeDecision } from './decision-codec.ts'
import { isInForce } from './is-in-force.ts'

const directory = mkdtempSync(join(tmpdir(), 'cheapside-decisions-'))
let store: Store
beforeAll(async () => {
  store = await openStore({ dataDirectory: directory })
})
afterAll(async () => {
  await store.close()
  rmSync(directory, { recursive: true, force: true })
})

const price = { ...baseRates, perHourUsd: null }
const firstDay = firstHour / dayHours
const key = 'Deployment/web/app'
const shop = { kind: 'container', cluster: 'c', namespace: 'shop' } as const
const { signal } = new AbortController()

/** A container that uses more each day, so that each day's decision differs. */
const growing: SyntheticPod = {
  workload: 'Deployment/web',
  cores: (hour) => 0.1 + (hour - firstHour) / 1000 + (hour % 5) / 50,
  gib: (hour) => 0.5 + (hour - firstHour) / 500,
  cpuRequest: 2,
  memoryRequest: 4,
}

async function ask(
  organisation: string,
  hour: number,
  more: Partial<SizesRequest> = {},
): Promise<NamespaceRecommendation> {
  const deps = depsAt(store, hour, price)
  const { namespaces } = await recommendSizes(deps, organisation, queryUntil(hour, more))
  return viewNamespace(namespaces[0]!, deps.now())
}

const sizeOf = (answer: NamespaceRecommendation) =>
  answer.ContainerRecommendations[key]!.CPU.Requests.Recommended

async function stored(organisation: string, name = key) {
  const rows = await store.decisions.read(organisation, shop, [name], { from: firstDay, to: firstDay + 60 })
  return rows.map((row) => decodeDecision(row)!)
}

const decideAt = (organisation: string, hour: number) =>
  decideSizes({ ...depsAt(store, hour, price), store }, organisation, signal)

describe('sizes', () => {
  test('stay the same all day, and are decided again when the day is over', async () => {
    await storePods(store, 'day', [growing], 12)
    const at = (day: number, hour: number) => firstHour + day * dayHours + hour
    expect(await decideAt('day', at(9, 1))).toBe(1)
    const morning = sizeOf(await ask('day', at(9, 1)))
    expect(sizeOf(await ask('day', at(9, 5)))).toBe(morning)
    expect(sizeOf(await ask('day', at(9, 23)))).toBe(morning)
    expect(await decideAt('day', at(9, 23))).toBe(0)
    expect(await decideAt('day', at(10, 1))).toBe(1)
    expect(sizeOf(await ask('day', at(10, 1)))).toBeGreaterThan(morning!)
    expect((await stored('day')).map(({ day, late }) => [day - firstDay, late])).toEqual([
      [8, false],
      [9, false],
    ])
  })

  test('do not depend on where the window begins, unless it is asked for the window alone', async () => {
    await storePods(store, 'window', [growing], 12)
    const end = firstHour + 12 * dayHours
    const start = { start_date: new Date((end - 26) * hourMs).toISOString() }
    const long = await ask('window', end)
    const short = await ask('window', end, start)
    expect(sizeOf(short)).toBe(sizeOf(long))
    expect(short.CurrentSpend).toBeLessThan(long.CurrentSpend / 10)
    expect(sizeOf(await ask('window', end, { ...start, basis: 'window' }))).not.toBe(sizeOf(long))
    expect(await stored('window')).toHaveLength(1)
  })

  test('are explained from the usage that they were decided from, whatever the window', async () => {
    await storePods(store, 'explained', [growing, { ...growing, pod: 'b', workload: 'Deployment/b' }], 12)
    const end = firstHour + 12 * dayHours
    const explained = async (start: number) => {
      const window = { start_date: new Date(start * hourMs).toISOString(), explain: true }
      const { CPU } = (await ask('explained', end, window)).ContainerRecommendations[key]!.Explanation!
      return CPU
    }
    const [long, short] = [await explained(firstHour), await explained(end - 26)]
    expect(long.Days).toBe(12)
    expect({ ...short, Distribution: [] }).toEqual({ ...long, Distribution: [] })
    const balanced = long.Estimates.find(({ By }) => By === 'balanced')!
    const [decision] = await stored('explained')
    expect(balanced.Value).toBeCloseTo(decision!.evidence.cpu!.together.levels[3]!, 6)
  })

  test('of an old day are decided from usage before its end when they are asked for, stored and marked', async () => {
    await storePods(store, 'late', [growing], 12)
    const end = firstHour + 12 * dayHours
    const ofDay = async (days: number) =>
      sizeOf(
        await ask('late', end, { end_date: new Date((firstHour + days * dayHours) * hourMs).toISOString() }),
      )
    const [old, now] = [await ofDay(7), await ofDay(12)]
    expect(old).toBeLessThan(now!)
    const [first, last] = await stored('late')
    expect([first!.day, first!.late, first!.evidence.hour]).toEqual([
      firstDay + 6,
      true,
      firstHour + 7 * dayHours,
    ])
    expect([last!.day, last!.late]).toEqual([firstDay + 11, true])
    expect(await ofDay(7)).toBe(old)
    expect(await stored('late')).toHaveLength(2)
  })

  test('of a preference are read from the same decision', async () => {
    await storePods(store, 'risk', [growing], 12)
    const end = firstHour + 12 * dayHours
    const sizes = []
    for (const preference of [
      { profile: 'cost' },
      {},
      { profile: 'safe' },
      { profile: 'krr-p99' },
      { risk: 0.0001 },
    ])
      sizes.push(sizeOf(await ask('risk', end, preference)))
    expect(sizes[0]).toBeLessThan(sizes[1]!)
    expect(sizes[1]).toBeLessThan(sizes[2]!)
    expect(new Set(sizes).size).toBeGreaterThan(3)
    expect(await stored('risk')).toHaveLength(1)
  })
})

describe('a decision is made again in the day', () => {
  const noon = firstHour + 9 * dayHours + 12
  test.each<[string, Partial<SyntheticPod>]>([
    ['after a kill', { oomEvents: (hour) => (hour === noon ? 1 : 0) }],
    ['after it was seen for six hours', { from: noon - 4 }],
  ])('%s, at most once an hour', async (name, more) => {
    await storePods(store, name, [{ ...growing, ...more, hours: noon + 48 - (more.from ?? firstHour) }], 12)
    await decideAt(name, noon - dayHours / 2 + 1)
    const hours = async () => (await stored(name)).map(({ evidence }) => evidence.hour)
    for (const hour of [noon, noon, noon + 2, noon + 2, noon + 4]) await ask(name, hour)
    const decided = await hours()
    // The hour that was running counts.
    expect(decided.at(-1)).toBe(noon + 3)
    await decideAt(name, noon + 4)
    expect(await hours()).toEqual(decided)
  })

  test('by the job, before anybody asks', async () => {
    const killed = { ...growing, oomEvents: (hour: number) => (hour === noon ? 1 : 0) }
    await storePods(store, 'job', [killed], 12)
    await decideAt('job', noon - 11)
    expect((await stored('job')).map(({ day }) => day - firstDay)).toEqual([8])
    await decideAt('job', noon + 1)
    expect((await stored('job')).map(({ day, late }) => [day - firstDay, late])).toEqual([
      [8, false],
      [9, false],
    ])
  })
})

test.each([
  ['a kill later in the hour in which it was decided', 0.9, 99, false],
  ['a kill of the hour before', 0.9, 98, true],
  ['a kill of the day that was over', 1.1, 99, true],
])('%s', (_, decidedAfterHours, killedAt, expected) => {
  const hour = 100
  const evidence = { hour, seenHours: 200, daysSinceFirst: 10, isTrained: false }
  const decidedAt = (hour - 1 + decidedAfterHours) * hourMs
  const decision = { day: 4, evidence, decidedAt, late: false, current: {}, replicas: 1 }
  const spans = [{ startHour: killedAt, hours: 1, oomKills: 1, throttledShare: 0, cpu: null, memory: null }]
  const lastAt = (hour + 1) * 3600
  const sums = { spans, lastAt, firstAt: 0, seenHours: 200 }
  const container = { current: {}, sums } as unknown as Container
  const asked = { day: 4, isOpen: true, hour: hour + 1 }
  expect(isInForce(decision, container, asked, { from: hour, to: hour + 1 })).toBe(expected)
})

test('what has gone is not decided anew', async () => {
  await storePods(
    store,
    'gone',
    [
      { ...growing, hours: 5 * dayHours },
      { ...growing, pod: 'b', workload: 'Deployment/b' },
    ],
    12,
  )
  for (const day of [5, 6, 7]) await decideAt('gone', firstHour + day * dayHours + 1)
  expect((await stored('gone')).map(({ day }) => day - firstDay)).toEqual([4])
  expect(await stored('gone', 'Deployment/b/app')).toHaveLength(3)
})

test('a workload whose replicas run from time to time is decided once a day', async () => {
  const part = { ...growing, runsAt: (hour: number) => hour % 24 < 10 }
  await storePods(store, 'gaps', [part, { ...part, pod: 'web-2' }], 12)
  const end = firstHour + 11 * dayHours + 12
  await ask('gaps', end)
  const [first] = await stored('gaps')
  for (const hour of [end, end + 1, end + 5]) await ask('gaps', hour)
  expect(await stored('gaps')).toEqual([first])
})

test('two instances of the service share the namespaces', async () => {
  const pods = Array.from({ length: 12 }, (_, index) => ({ ...growing, namespace: `ns-${index}` }))
  await storePods(store, 'shared', pods, 3)
  const at = firstHour + 3 * dayHours + 1
  const [one, two] = await Promise.all([decideAt('shared', at), decideAt('shared', at)])
  expect(one + two).toBe(12)
  expect(await decideAt('shared', at)).toBe(0)
})

test('a decision is stored in a few hundred bytes, with thirteen digits', () => {
  const spans = spansOf(14, {
    cpu: (hour) => [0.3 + 0.2 * Math.sin(hour)],
    gib: (hour) => [1 + (hour % 11) / 10],
  })
  const evidence = gatherEvidence({ spans, current: { cpuRequest: 0.3 } }, { atHour: 14 * 24, model: {} })
  const decision: SizeDecision = {
    day: 20_000,
    late: true,
    decidedAt: 1_800_000_000_000,
    current: { cpuRequest: 0.3, memoryLimit: 595 / 1024 },
    replicas: 2.5,
    evidence,
  }
  const bytes = encodeDecision(decision)
  expect(bytes.length).toBeLessThan(520)
  const decoded = decodeDecision({ day: 20_000, bytes })!
  const numbersIn = (value: unknown): number[] =>
    typeof value === 'number' ? [value] : Object.values(value ?? {}).flatMap(numbersIn)
  const [before, after] = [numbersIn(decision), numbersIn(decoded).toSorted((a, b) => a - b)]
  expect(after).toHaveLength(before.length)
  for (const [index, value] of before.toSorted((a, b) => a - b).entries())
    expect(Math.abs(after[index]! - value)).toBeLessThanOrEqual(1e-13 * value)
  expect(decoded).toMatchObject({ day: 20_000, late: true, current: { cpuRequest: expect.closeTo(0.3, 11) } })
  expect(encodeDecision(decoded)).toEqual(bytes)
  expect(decodeDecision({ day: 1, bytes: Uint8Array.of(200, 1) })).toBeUndefined()
  const later = { ...decision, evidence: { ...evidence, unheard: { of: [1, 2] } } }
  expect(decodeDecision({ day: 20_000, bytes: encodeDecision(later) })).toMatchObject({
    evidence: { unheard: { of: [1, 2] } },
  })
})
