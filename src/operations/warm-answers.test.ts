import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { machinesCodec } from '../machine-usage/machine-archive.ts'
import { MachineCache } from '../machine-usage/machine-cache.ts'
import { keptAnswerCodec } from '../namespace-sizes/answer/kept-answer.ts'
import { SizesCache } from '../namespace-sizes/answer/sizes-cache.ts'
import { BackgroundWork } from '../runtime/yielder.ts'
import { StoredAnswers } from '../store/stored-answers.ts'
import type { HourRange } from '../usage/reading/pod-usage.ts'
import { firstHour } from '../usage/reading/pods.case.ts'
import type { MachinesDeps } from './recommend-machines/deps.ts'
import { recommendMachines } from './recommend-machines/recommend-machines.ts'
import { summariseMachines } from './recommend-machines/summarise-machines.ts'
import {
  aQuarterMore,
  type MachinesFixture,
  nowMs,
  type SyntheticProcess,
  windowDays,
  withMachinesFixture,
  xlarge,
} from './recommend-machines/test-machines.case.ts'
import { depsAt, queryUntil, storePods } from './recommend-sizes/test-namespaces.case.ts'
import { CostsCache, costsAnswer, costsCodec } from './report-costs/costs-answer.ts'
import { parseCostsRequest } from './report-costs/query.ts'
import { AnswersWarmer, defaultWindows, wholeDayWindows } from './warm-answers.ts'

const { signal } = new AbortController()
const toHour = firstHour + windowDays * 24
const at = (hour: number) => new Date(hour * 3_600_000).toISOString()
let shiftMs = 0
const now = () => nowMs + 60_000 + shiftMs
const price = { corePerHourUsd: 0.03, gibPerHourUsd: 0.004, perHourUsd: 0.152 }
let fixture: MachinesFixture

const processesOf = (vm: string, cores: number): SyntheticProcess[] =>
  Array.from({ length: 3 }, (_, index) => ({
    vm,
    process: `p${index}`,
    cores: cores * (index + 1),
    gib: 0.5,
  }))

withMachinesFixture(async (opened) => {
  fixture = opened
  const machine = (vm: string) => ({ vm, ...xlarge })
  await fixture.add(
    'a',
    ['vm-1', 'vm-2', 'vm-3'].flatMap((vm, index) => processesOf(vm, 0.1 * (index + 1))),
    [machine('vm-1'), machine('vm-2')],
  )
  await fixture.add('b', processesOf('vm-2', 0.7), [machine('vm-2')])
})

/** A service with no kept answers. Its clock advances only when the test advances it. */
function newService({
  maxProcesses = 1000,
  organisations = ['a', 'b'],
  isAsked = true,
  claim = async () => true,
  store = false,
} = {}) {
  const seen = {
    basis: '',
    subjects: 0,
    sized: 0,
    whileSizing: () => {},
    clockMs: 0,
    loaded: [] as string[],
    loading: '',
    answersRead: 0,
  }
  const clockMs = () => seen.clockMs
  async function* digests(...asked: Parameters<typeof fixture.store.usage.digests>) {
    for await (const subject of fixture.store.usage.digests(...asked)) {
      seen.subjects++
      yield subject
    }
  }
  const { answers } = fixture.store
  const read: typeof answers.read = (...asked) => {
    seen.answersRead++
    return answers.read(...asked)
  }
  const stored = { store: { answers: { ...answers, read } }, now, version: 'test' }
  const archive = store ? new StoredAnswers(stored, machinesCodec) : undefined
  const reading = {
    store: { usage: { ...fixture.store.usage, digests } },
    now,
    advisor: async () => aQuarterMore,
  }
  const machines: MachinesDeps = {
    ...fixture.deps,
    now,
    machines: new MachineCache(reading, archive, { maxProcesses, clockMs, minArchived: 1 }),
  }
  const sizesCache = new SizesCache(
    { basis: async () => seen.basis, now },
    store ? new StoredAnswers(stored, keptAnswerCodec) : undefined,
    {
      clockMs,
      maxBytes: 1 << 20,
      minContainers: 1,
    },
  )
  const depsNow = depsAt(fixture.store, toHour, price)
  const nodePrices: typeof depsNow.nodePrices = (...asked) => {
    seen.sized++
    seen.whileSizing()
    return depsNow.nodePrices(...asked)
  }
  const sizes = { ...depsNow, nodePrices, now, sizesCache }
  const costsCache = new CostsCache(
    async () => '',
    store ? new StoredAnswers(stored, costsCodec) : undefined,
    {
      clockMs,
      maxChars: 1e6,
      minContainers: 1,
    },
  )
  const costs = { ...sizes, labels: [], costsCache }
  const deps = {
    ...{
      sizes,
      costs,
      machines: machines.machines,
      isBusy: () => false,
      askedWithin: () => (isAsked ? organisations : []),
    },
    usage: { partitions: async () => organisations.map((organisation) => ({ organisation })) },
    advice: { renew: async () => {} },
    claim,
    release: async () => {},
    loaded: async (organisation: string) => {
      if (organisation === seen.loading) throw new Error('still being loaded')
      seen.loaded.push(organisation)
    },
  }
  const warmer = new AnswersWarmer(deps, 0)
  const ask = async (organisation: string, words = {}) => {
    seen.subjects = 0
    const recommendations = await recommendMachines(machines, organisation, words)
    const summaries = await summariseMachines(machines, organisation, { ...words, include_rehost: true })
    return { text: JSON.stringify([recommendations, summaries]), subjectsRead: seen.subjects }
  }
  return { seen, sizes, costs, warmer, ask }
}

const questions = [
  {},
  { vm: 'vm-2' },
  { limit: 2 },
  { process_group: 'system' },
  { process_group: 'docker' },
  ...[7, 30].map((days) => ({ start_date: new Date(now() - days * 86_400_000).toISOString() })),
  ...wholeDayWindows(now()).map(({ from, to }) => ({ start_date: at(from), end_date: at(to) })),
]

test('precomputed machines are returned like others, without being read again', async () => {
  const [warm, cold] = [newService(), newService()]
  await warm.warmer.run(signal)
  expect(warm.seen.loaded).toEqual(['a', 'b'])
  for (const organisation of ['a', 'b'])
    for (const words of questions) {
      const { text, subjectsRead } = await warm.ask(organisation, words)
      expect(subjectsRead).toBe(0)
      expect(text).toBe((await cold.ask(organisation, words)).text)
    }
  expect((await cold.ask('a')).text).not.toBe((await cold.ask('b')).text)
  expect((await warm.ask('c')).text).toBe(JSON.stringify([{ items: [] }, { items: [] }]))
})

test('new usage shows after precomputed answers expire, and is then precomputed', async () => {
  const { seen, warmer, ask } = newService({ organisations: ['grows'] })
  await fixture.add('grows', processesOf('vm-1', 0.1))
  await warmer.run(signal)
  const before = await ask('grows')
  await fixture.add('grows', [{ vm: 'vm-1', process: 'new', cores: 2 }])
  expect((await ask('grows')).text).toBe(before.text)
  seen.clockMs += 3_600_000
  const after = await ask('grows')
  expect(after.text).not.toBe(before.text)
  expect(after.text).toBe((await newService().ask('grows')).text)
})

test('nothing is computed from usage that is still being loaded, and others do not wait for it', async () => {
  const { seen, warmer, ask } = newService({ organisations: ['loading', 'b'] })
  await fixture.add('loading', processesOf('vm-1', 0.1))
  seen.loading = 'loading'
  await expect(warmer.run(signal)).rejects.toThrow('still being loaded')
  expect((await ask('b')).subjectsRead).toBe(0)
  seen.loading = ''
  await fixture.add('loading', [{ vm: 'vm-1', process: 'late', cores: 0.3 }])
  await warmer.run(signal)
  const { text, subjectsRead } = await ask('loading')
  expect(subjectsRead).toBe(0)
  expect(text).toContain('late')
  expect(text).toBe((await newService().ask('loading')).text)
})

test('no more machines are precomputed than the cache can hold', async () => {
  const { warmer, ask, seen } = newService({ maxProcesses: 8 })
  await warmer.run(signal)
  expect(seen.subjects).toBeLessThanOrEqual(7)
  expect((await ask('a', { vm: 'vm-1' })).subjectsRead).toBe(0)
  expect((await ask('a', { vm: 'vm-3' })).subjectsRead).toBeGreaterThan(0)
})

test('windows of machines that do not fit into one round are completed in the next ones', async () => {
  await fixture.add(
    'large',
    ['vm-1', 'vm-2', 'vm-3'].flatMap((vm) => processesOf(vm, 0.1)),
  )
  const service = { store: true, organisations: ['large'], maxProcesses: 20 }
  const { warmer, seen } = newService(service)
  const windows = [...defaultWindows(now()), ...wholeDayWindows(now())].length
  for (let round = 0; round < windows; round++) {
    seen.subjects = 0
    await warmer.run(signal)
    expect(seen.subjects).toBeGreaterThan(0)
  }
  seen.subjects = 0
  await warmer.run(signal)
  expect(seen.subjects).toBe(0)
  for (const words of questions) {
    const { text, subjectsRead } = await newService(service).ask('large', words)
    expect(subjectsRead).toBe(0)
    expect(text).toBe((await newService().ask('large', words)).text)
  }
})

const keptNamespaces = async ({ sizesCache }: { sizesCache: SizesCache }, hours: HourRange) => {
  const kept = await sizesCache.find('pods', { ...queryUntil(toHour), hours })
  return kept && JSON.parse(await text(kept.pieces('json')))
}

const textOf = async ({ pieces }: { pieces: AsyncIterable<string> }) =>
  (await Array.fromAsync(pieces)).join('')

test('default windows of namespaces and costs are precomputed once', async () => {
  const pods = ['shop', 'till'].map((namespace) => ({
    cluster: 'c',
    namespace,
    pod: 'p',
    workload: 'Deployment/w',
    node: 'n',
    container: 'app',
    cores: 0.2,
    gib: 0.3,
    cpuRequest: 1,
    memoryRequest: 0.5,
  }))
  await storePods(fixture.store, 'pods', pods, windowDays)
  const { warmer, sizes, costs } = newService({ organisations: ['pods'] })
  const stop = new AbortController()
  await warmer.run(stop.signal)
  for (const hours of [...defaultWindows(now()), ...wholeDayWindows(now())])
    expect(await keptNamespaces(sizes, hours)).toHaveLength(2)
  const [{ from, to }] = defaultWindows(now()) as [{ from: number; to: number }]
  const asOverview = { group_by: 'cluster', step: 'day', start_date: at(from), end_date: at(to) }
  const query = parseCostsRequest(asOverview, now(), [])
  const untold = { ...costs, nodePrices: () => Promise.reject(new Error('worked out again')) }
  const { costsCache, ...cold } = newService().costs
  expect(await textOf(await costsAnswer(untold, 'pods', query, 'json', signal))).toBe(
    await textOf(await costsAnswer(cold, 'pods', query, 'json', signal)),
  )
  await warmer.run(stop.signal)
  stop.abort(new Error('stopped'))
  await expect(warmer.run(stop.signal)).rejects.toThrow('stopped')
})

test('answers that one node computed are used by another and after a restart', async () => {
  const [owner, other] = [newService({ store: true }), newService({ store: true, claim: async () => false })]
  await other.warmer.run(signal)
  expect([other.seen.subjects, other.seen.sized]).toEqual([0, 0])
  await owner.warmer.run(signal)
  const started = newService({ store: true })
  for (const organisation of ['a', 'b'])
    for (const words of questions) {
      const { text, subjectsRead } = await started.ask(organisation, words)
      expect(subjectsRead).toBe(0)
      expect(text).toBe((await newService().ask(organisation, words)).text)
    }
  await started.warmer.run(signal)
  expect(started.seen.subjects).toBe(0)
})

test('answers of the built-in model are computed again without a request when there is a trained one', async () => {
  const { warmer, sizes, seen } = newService({ organisations: ['pods'], isAsked: false })
  const isKept = async () =>
    (await sizes.sizesCache.find('pods', { ...queryUntil(toHour), hours: defaultWindows(now())[0]! })) !==
    undefined
  seen.whileSizing = () => {
    seen.basis = 'trained'
    seen.whileSizing = () => {}
  }
  await warmer.run(signal)
  expect(await isKept()).toBe(false)
  await warmer.run(signal)
  expect(await isKept()).toBe(true)
  seen.sized = 0
  seen.clockMs += 3_600_000
  await warmer.run(signal)
  expect(seen.sized).toBe(0)
})

test('the windows of the next hour are ready when it begins', async () => {
  const { warmer, sizes } = newService({ organisations: ['pods'] })
  const isKept = async (hours: { from: number; to: number }) =>
    (await sizes.sizesCache.find('pods', { ...queryUntil(toHour), hours })) !== undefined
  const next = defaultWindows(now() + 3_600_000)
  await warmer.run(signal)
  expect(await Promise.all(next.map(isKept))).toEqual([false, false, false])
  shiftMs = 50 * 60_000
  await warmer.run(signal)
  shiftMs = 0
  expect(await Promise.all(next.map(isKept))).toEqual([true, true, true])
})

test('code is warmed up on existing usage, cached or not, until it is aborted', async () => {
  await newService({ organisations: ['pods'], store: true }).warmer.run(signal)
  const { warmer, seen, sizes } = newService({ organisations: ['pods'], store: true })
  const inBackground = new Set<boolean>()
  seen.whileSizing = () => void inBackground.add(BackgroundWork.current !== undefined)
  await warmer.warmUpCode(signal)
  expect(inBackground).toEqual(new Set([true]))
  expect(seen.sized).toBeGreaterThan(0)
  seen.answersRead = 0
  for (const hours of defaultWindows(now())) expect(await keptNamespaces(sizes, hours)).toHaveLength(2)
  expect(seen.answersRead).toBe(0)
  seen.loading = 'pods'
  seen.sized = 0
  await expect(warmer.warmUpCode(signal)).rejects.toThrow('still being loaded')
  expect(seen.sized).toBe(0)
  seen.loading = ''
  await newService({ organisations: [] }).warmer.warmUpCode(signal)
  await expect(warmer.warmUpCode(AbortSignal.abort(new Error('late')))).rejects.toThrow('late')
})

test('answers are computed without a lease if nothing can be written', async () => {
  const { warmer, ask } = newService({ claim: () => Promise.reject(new Error('read-only')) })
  await warmer.run(signal)
  expect((await ask('a')).subjectsRead).toBe(0)
})

test('usage that is loaded after the start is not precomputed before the first request', async () => {
  const organisations = ['a']
  const { warmer, seen } = newService({ organisations, isAsked: false })
  await warmer.warmUpCode(signal)
  organisations.push('b')
  await warmer.run(signal)
  expect(new Set(seen.loaded)).toEqual(new Set(['a']))
})
