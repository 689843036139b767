import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { checkCommitments } from '../../pricing/commitments/store-commitments.ts'
import type { SyntheticPod } from '../../usage/reading/pods.case.ts'
import { depsAt, storePods } from '../containers/test-namespaces.case.ts'
import {
  hours,
  type MachinesFixture,
  windowDays,
  withMachinesFixture,
  xlarge,
} from '../machines/test-machines.case.ts'
import { collectRecommendations, recommendationHours } from './collect-recommendations.ts'
import type { RecommendationDeps } from './deps.ts'
import { RecommendationLists } from './recommendation-lists.ts'

let fixture: MachinesFixture
withMachinesFixture((opened) => {
  fixture = opened
})

const price = { corePerHourUsd: 0.03, gibPerHourUsd: 0.004, perHourUsd: null, source: 'list' } as const
const wide = (name: string, cpuRequest: number): SyntheticPod => ({
  pod: `${name}-1`,
  workload: `Deployment/${name}`,
  cores: 0.1,
  gib: 0.5,
  cpuRequest,
  memoryRequest: 1,
})
const pods = [wide('a', 2), wide('b', 4), wide('c', 8), { ...wide('idle', 1), cores: 0 }]

/** Counts how often sizes are computed, with a clock of its own. */
function countingDeps(): RecommendationDeps & { readonly count: () => number; passMs(ms: number): void } {
  const { store, deps: machines } = fixture
  const sizes = depsAt(store, hours.to, price)
  let [computed, laterMs] = [0, 0]
  return {
    now: () => machines.now() + laterMs,
    machines,
    store,
    sizes: {
      ...sizes,
      nodePrices: (...words) => {
        computed++
        return sizes.nodePrices(...words)
      },
    },
    count: () => computed,
    passMs: (ms) => {
      laterMs += ms
    },
  }
}

const never = new AbortController().signal
const nobody = { see: () => {}, seeVolume: () => {}, seeWorkload: () => {} }

test('what is recommended, and a bound on how much', async () => {
  await storePods(fixture.store, 'bounded', pods, windowDays)
  const deps = countingDeps()
  const window = recommendationHours(deps.now())
  const all = await collectRecommendations(deps, 'bounded', window, nobody, never)
  const kinds = all.rows
    .map(({ recommendation }) => `${recommendation.kind} ${recommendation.workload}`)
    .sort()
  expect(kinds).toEqual([
    'container Deployment/a',
    'container Deployment/b',
    'container Deployment/c',
    'container Deployment/idle',
    'idle Deployment/idle',
  ])
  expect(all.subjects).toBe(4)
  const idle = all.rows.find(({ recommendation }) => recommendation.kind === 'idle')!
  expect(idle.recommendation).toMatchObject({
    idle_days: 13,
    replicas: 1,
    price_sources: ['list'],
    recommended: null,
  })
  const covered = all.rows.filter(({ coveredBy }) => coveredBy !== null)
  expect(covered.map(({ recommendation, coveredBy }) => [recommendation.workload, coveredBy])).toEqual([
    ['Deployment/idle', idle.recommendation.id],
  ])
  const two = await collectRecommendations(deps, 'bounded', window, nobody, never, 2)
  expect(two.rows.map(({ recommendation }) => recommendation.workload).sort()).toEqual([
    'Deployment/b',
    'Deployment/c',
  ])
  const sum = (rows: typeof all.rows) => rows.reduce((total, { worth }) => total + worth, 0)
  expect(two.dropped.count).toBe(3)
  expect(sum(two.rows) + two.dropped.worth).toBeCloseTo(sum(all.rows), 9)
})

test('recommendations that share a commitment warn of what all of them leave unused', async () => {
  const processes = ['web-1', 'web-2'].map((vm) => ({ vm, cores: 1, gib: 4 }))
  await fixture.add('sharing', processes, [
    { vm: 'web-1', ...xlarge },
    { vm: 'web-2', ...xlarge },
  ])
  const reasonsWith = async (instances: number) => {
    const owned = checkCommitments([
      {
        ...{ name: 'ri', provider: 'aws', kind: 'reserved_instance', region: 'us-east-1' },
        ...{ instance_type: 'm5.xlarge', size_flexible: false, instances },
        ...{ from: '2020-01-01', until: '2099-12-31' },
      },
    ])
    const deps = countingDeps()
    const pricing = { ...fixture.pricing, commitments: async () => owned }
    const withOwned = { ...deps, machines: { ...deps.machines, pricing } }
    const { rows } = await collectRecommendations(
      withOwned,
      'sharing',
      recommendationHours(deps.now()),
      nobody,
      never,
    )
    return rows.map(({ recommendation }) => [
      recommendation.machine,
      recommendation.worth_per_month,
      recommendation.reasons.at(-1),
    ])
  }
  // Each machine by itself leaves the reservation to the other, and both leave it to nobody.
  const warning = expect.stringContaining('less of what is committed is used: ri 0% instead of 100%.')
  expect(await reasonsWith(1)).toEqual([
    ['web-1', 70.08, warning],
    ['web-2', 70.08, warning],
  ])
  expect(await reasonsWith(2)).toEqual([])
})

test('a list is made once for every instance of the service, and again after some time', async () => {
  await storePods(fixture.store, 'shared', pods, windowDays)
  const deps = countingDeps()
  const [lists, others] = [new RecommendationLists(deps), new RecommendationLists(deps)]
  const [one, two] = await Promise.all([lists.listOf('shared', never), lists.listOf('shared', never)])
  expect(one.rows).toEqual(two.rows)
  deps.passMs(79)
  expect((await others.listOf('shared', never)).rows).toEqual(one.rows)
  expect(deps.count()).toBe(1)
  deps.passMs(1)
  expect((await others.listOf('shared', never)).madeAt).toBe(one.madeAt + 80)
  expect(deps.count()).toBe(2)
  expect((await lists.listOf('nobody', never)).rows).toEqual([])
})

test('a list with other members, of another release, is made again', async () => {
  await storePods(fixture.store, 'released', pods, windowDays)
  const deps = countingDeps()
  const basis = createHash('sha256').update('').digest('hex')
  const stored = { madeAt: deps.now(), basis, bytes: new Uint8Array(4) }
  await fixture.store.recommendations.writeList('released', stored)
  expect((await new RecommendationLists(deps).listOf('released', never)).rows).not.toEqual([])
})

test('a stored list has what it was made from, in order of worth', async () => {
  await storePods(fixture.store, 'stored', pods, windowDays)
  const deps = countingDeps()
  const { rows } = await collectRecommendations(
    deps,
    'stored',
    recommendationHours(deps.now()),
    nobody,
    never,
  )
  const list = await new RecommendationLists(deps).listOf('stored', never)
  const ids = list.rows.map(({ recommendation }) => recommendation.id)
  expect(ids).toEqual(
    rows.toSorted((a, b) => b.worth - a.worth).map(({ recommendation }) => recommendation.id),
  )
  const whole = list.find(new Set(ids.slice(1, 3)))
  expect([...whole.keys()]).toEqual(ids.slice(1, 3))
  for (const row of rows) {
    const { recommendation, worth, coveredBy } = list.rows[ids.indexOf(row.recommendation.id)]!
    expect(row).toMatchObject({ recommendation, worth, coveredBy })
    expect(list.find(new Set([row.recommendation.id])).get(row.recommendation.id)).toEqual(row.recommendation)
  }
})

test('the job makes a list again that is old, and none is used after prices, profile or rules changed', async () => {
  await storePods(fixture.store, 'renewed', pods, windowDays)
  const deps = countingDeps()
  let basis = 'one'
  const lists = new RecommendationLists(deps, async () => basis)
  await lists.renew('renewed', 1000, never)
  await lists.renew('renewed', 1000, never)
  await lists.listOf('renewed', never)
  expect(deps.count()).toBe(1)
  deps.passMs(1000)
  await lists.renew('renewed', 1000, never)
  expect(deps.count()).toBe(2)
  basis = 'other'
  await lists.listOf('renewed', never)
  expect(deps.count()).toBe(3)
})

test('work continues for the remaining callers and ends when all have left', async () => {
  await storePods(fixture.store, 'left', pods, windowDays)
  const deps = countingDeps()
  const lists = new RecommendationLists(deps)
  const [first, second] = [new AbortController(), new AbortController()]
  const left = lists.listOf('left', first.signal)
  const stays = lists.listOf('left', second.signal)
  first.abort(new Error('gone'))
  await expect(left).rejects.toThrow('gone')
  expect((await stays).rows.length).toBe(5)
  await expect(lists.listOf('left', first.signal)).rejects.toThrow('gone')
  await storePods(fixture.store, 'alone', pods, windowDays)
  const alone = new AbortController()
  const given = lists.listOf('alone', alone.signal)
  alone.abort(new Error('gone too'))
  await expect(given).rejects.toThrow('gone too')
  expect((await lists.listOf('alone', never)).rows.length).toBe(5)
})
