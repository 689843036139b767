import { expect, test } from 'vitest'
import { finish } from './finish.case.ts'
import type { NodePool } from './node-type.ts'
import { keepPools, type PlannedPools, planPools, poolOptions } from './plan-pools.ts'
import type { PodGroup } from './pods.ts'
import { type PodContainer, WorkloadPodsBuilder } from './workload-pods.ts'

const pool = (name: string, cores: number, perMonthUsd: number, count = 0): NodePool => ({
  type: { name, cores, gib: cores * 4, podLimit: 110, perMonthUsd },
  count,
})
const pods = (cores: number, count: number): PodGroup => ({ name: 'shop/web', cores, gib: cores, count })
const on = (...groups: readonly PodGroup[]) => ({ groups, everywhere: { cores: 0, gib: 0, pods: 0 } })
const limits = { headroom: 0, minNodes: 1, maxPools: 1 }

test('unneeded nodes are removed, and another type is chosen only if it costs less', () => {
  const current = [pool('large', 16, 400, 5)]
  const plan = finish(
    planPools(on(pods(1, 8)), current, [pool('small', 4, 90), pool('dear', 4, 300)], limits),
  )
  expect(plan.fewer.map(({ type, count }) => [type.name, count])).toEqual([['large', 1]])
  expect(plan.resize.map(({ type, count }) => [type.name, count])).toEqual([['small', 3]])
  expect(plan.lowerBoundUsd).toBeLessThanOrEqual(270)
  expect(plan).toMatchObject({ current, unplaced: [], hasRoom: true })
  const dear = finish(planPools(on(pods(1, 8)), current, [pool('dear', 4, 300)], limits))
  expect(dear.resize).toBe(dear.fewer)
})

test('of pools that cost nearly the same, the fastest is chosen', () => {
  const current = [pool('large', 16, 400, 5)]
  const fast = (name: string, perMonthUsd: number, speed: number): NodePool => {
    const slow = pool(name, 4, perMonthUsd)
    return { ...slow, type: { ...slow.type, speed } }
  }
  const chosen = (...candidates: readonly NodePool[]) =>
    finish(planPools(on(pods(1, 8)), current, candidates, limits)).resize.map(({ type }) => type.name)
  const slow = fast('slow', 90, 0.9)
  expect(chosen(slow, fast('fast', 90.8, 1.4), fast('faster', 92, 1.5))).toEqual(['fast'])
  expect(chosen(slow, fast('fast', 90.5, 1.2), fast('faster', 90.8, 1.5))).toEqual(['faster'])
  expect(chosen(slow, pool('unknown', 4, 90.5))).toEqual(['unknown'])
  expect(chosen(slow, fast('slower', 90, 0.8))).toEqual(['slow'])
})

test('pods that no type holds are named, and then no other type is chosen', () => {
  const current = [pool('large', 16, 400, 2)]
  const plan = finish(planPools(on(pods(40, 1), pods(1, 2)), current, [pool('small', 4, 1)], limits))
  expect(plan.unplaced).toEqual([pods(40, 1)])
  expect(plan).toMatchObject({ fewer: current, resize: current, hasRoom: false })
})

test('options say what they save, whether they need smaller pods, and how full the nodes are', () => {
  const [large, small] = [pool('large', 10, 400, 4), pool('small', 5, 150, 2)]
  const planned: PlannedPools<NodePool> = {
    ...keepPools([large]),
    fewer: [{ ...large, count: 2 }],
    resize: [small],
    limits,
    pods: { recommended: on(pods(1, 5)), current: on(pods(2, 5)) },
  }
  const controlPlane = { ...keepPools([pool('master', 2, 100, 1)]), limits, pods: undefined }
  const options = finish(poolOptions([planned, controlPlane], ['fewer', 'resize'] as const, 1700, 0.99))
  expect(options.map(({ effort, perMonthUsd, savingsUsd }) => [effort, perMonthUsd, savingsUsd])).toEqual([
    ['fewer', 900, 800],
    ['resize', 400, 1300],
  ])
  expect(options.map(({ needsSizes }) => needsSizes)).toEqual([false, true])
  expect(options.map(({ requested }) => requested)).toEqual([
    { cores: 5 / 20, gib: 5 / 80 },
    { cores: 5 / 10, gib: 5 / 40 },
  ])
  expect(finish(poolOptions([planned, controlPlane], ['fewer'] as const, 901, 0.99))).toEqual([])
})

test('a pod requests what runs together, or its largest init container with its sidecars', () => {
  const builder = new WorkloadPodsBuilder('DaemonSet/agent', 'shop/DaemonSet/agent')
  const container = (name: string, cores: number, gib: number, more: Partial<PodContainer> = {}) => ({
    name,
    init: false,
    isLongRunning: true,
    replicas: { atEnd: 3 },
    isGone: false,
    confidence: 0.9,
    sizes: { recommended: { cores, gib }, current: { cores: 2 * cores, gib } },
    ...more,
  })
  const counts = new Map([['a', 2]])
  builder.add(container('app', 1, 1), counts)
  builder.add(container('log', 0.5, 1, { confidence: 0.5 }), new Map([['a', 3]]))
  builder.add(container('mesh', 0.2, 0.5, { init: true }), counts)
  builder.add(container('migrate', 0.2, 9, { init: true, isLongRunning: false }), counts)
  builder.add(container('gone', 7, 7, { replicas: { atEnd: 0 } }), counts)
  // It was never sampled; of the others the decided size counts.
  const requests = new Map([
    ['fetch', { cores: 3, gib: 1 }],
    ['mesh', { cores: 9, gib: 9 }],
    ['migrate', { cores: 9, gib: 99 }],
  ])
  expect(builder.finish(requests)).toEqual({
    name: 'shop/DaemonSet/agent',
    isDaemon: true,
    confidence: 0.5,
    recommended: { cores: 3.2, gib: 9.5 },
    current: { cores: 3.4, gib: 9.5 },
    counts: new Map([['a', 3]]),
    byHour: undefined,
  })
})
