import { expect, test } from 'vitest'
import type { SyntheticPod } from '../../usage/reading/pods.case.ts'
import { depsAt, storePods } from '../containers/test-namespaces.case.ts'
import {
  hours,
  type MachinesFixture,
  windowDays,
  withMachinesFixture,
} from '../machines/test-machines.case.ts'
import { AdviceCache } from './advice-cache.ts'
import { adviceHours, collectAdvice } from './collect-advice.ts'
import type { AdviceDeps } from './deps.ts'

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

/** Counts how often sizes are computed. */
function countingDeps(): AdviceDeps & { readonly count: () => number } {
  const { store, deps: machines } = fixture
  const sizes = depsAt(store, hours.to, price)
  let computed = 0
  return {
    now: machines.now,
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
  }
}

const never = new AbortController().signal
const nobody = { see: () => {}, seeWorkload: () => {} }

test('what is recommended, and a bound on how much', async () => {
  await storePods(fixture.store, 'bounded', pods, windowDays)
  const deps = countingDeps()
  const window = adviceHours(deps.now())
  const all = await collectAdvice(deps, 'bounded', window, nobody, never)
  const kinds = all.rows.map(({ advice }) => `${advice.kind} ${advice.workload}`).sort()
  expect(kinds).toEqual([
    'container Deployment/a',
    'container Deployment/b',
    'container Deployment/c',
    'container Deployment/idle',
    'idle Deployment/idle',
  ])
  expect(all.subjects).toBe(4)
  const idle = all.rows.find(({ advice }) => advice.kind === 'idle')!
  expect(idle.advice).toMatchObject({
    idle_days: 13,
    replicas: 1,
    price_sources: ['list'],
    recommended: null,
  })
  const covered = all.rows.filter(({ coveredBy }) => coveredBy !== null)
  expect(covered.map(({ advice, coveredBy }) => [advice.workload, coveredBy])).toEqual([
    ['Deployment/idle', idle.advice.id],
  ])
  const two = await collectAdvice(deps, 'bounded', window, nobody, never, 2)
  expect(two.rows.map(({ advice }) => advice.workload).sort()).toEqual(['Deployment/b', 'Deployment/c'])
  const sum = (rows: typeof all.rows) => rows.reduce((total, { worth }) => total + worth, 0)
  expect(two.dropped.count).toBe(3)
  expect(sum(two.rows) + two.dropped.worth).toBeCloseTo(sum(all.rows), 9)
})

test('a list is computed once for everybody, and again after some time', async () => {
  await storePods(fixture.store, 'shared', pods, windowDays)
  const deps = countingDeps()
  let nowMs = 0
  const cache = new AdviceCache(deps, { clockMs: () => nowMs })
  const [one, two] = await Promise.all([cache.listOf('shared', never), cache.listOf('shared', never)])
  expect(one).toBe(two)
  nowMs = 79
  expect(await cache.listOf('shared', never)).toBe(one)
  expect(deps.count()).toBe(1)
  nowMs = 80
  expect(await cache.listOf('shared', never)).not.toBe(one)
  expect(deps.count()).toBe(2)
  expect((await cache.listOf('nobody', never)).rows).toEqual([])
})

test('a long list is renewed before it expires; meanwhile the old one is used', async () => {
  await storePods(fixture.store, 'renewed', pods, windowDays)
  const deps = countingDeps()
  let nowMs = 0
  const cache = new AdviceCache(deps, { clockMs: () => nowMs, fewSubjects: 4 })
  await cache.renew('renewed', never)
  const first = await cache.listOf('renewed', never)
  await cache.renew('renewed', never)
  expect([await cache.listOf('renewed', never), deps.count()]).toEqual([first, 1])
  nowMs = 250
  const asked = cache.renew('renewed', never)
  expect(await cache.listOf('renewed', never)).toBe(first)
  await asked
  expect(await cache.listOf('renewed', never)).not.toBe(first)
  expect(deps.count()).toBe(2)
  nowMs += 999
  await cache.listOf('renewed', never)
  expect(deps.count()).toBe(2)
  nowMs += 1
  await cache.listOf('renewed', never)
  expect(deps.count()).toBe(3)
})

test('a short list is not renewed, and no list is used after prices, profile or rules changed', async () => {
  await storePods(fixture.store, 'few', pods, windowDays)
  const deps = countingDeps()
  let [basis, nowMs] = ['one', 0]
  const cache = new AdviceCache(deps, { clockMs: () => nowMs, basis: async () => basis })
  const first = await cache.listOf('few', never)
  nowMs = 79
  await cache.renew('few', never)
  expect(await cache.listOf('few', never)).toBe(first)
  basis = 'other'
  expect(await cache.listOf('few', never)).not.toBe(first)
  expect(deps.count()).toBe(2)
})

test('computing continues for the remaining callers and ends when all have left', async () => {
  await storePods(fixture.store, 'left', pods, windowDays)
  const deps = countingDeps()
  const cache = new AdviceCache(deps, { clockMs: () => 0 })
  const [first, second] = [new AbortController(), new AbortController()]
  const left = cache.listOf('left', first.signal)
  const stays = cache.listOf('left', second.signal)
  first.abort(new Error('gone'))
  await expect(left).rejects.toThrow('gone')
  expect((await stays).rows.length).toBe(5)
  await expect(cache.listOf('left', first.signal)).rejects.toThrow('gone')
  const alone = new AbortController()
  const other = new AdviceCache(deps, { clockMs: () => 0 })
  const given = other.listOf('left', alone.signal)
  alone.abort(new Error('gone too'))
  await expect(given).rejects.toThrow('gone too')
  const before = deps.count()
  expect((await other.listOf('left', never)).rows.length).toBe(5)
  expect(deps.count()).toBeGreaterThan(before)
})
