import { expect, test } from 'vitest'
import { finish } from './finish.case.ts'
import type { NodePool } from './node-type.ts'
import { fewerInParts, holdParts, planParts } from './plan-parts.ts'
import { dividePods } from './pod-parts.ts'
import type { PodGroup } from './pods.ts'
import { type PodContainer, WorkloadPodsBuilder } from './workload-pods.ts'

const pool = (name: string, cores: number, perMonthUsd: number, count = 0): NodePool => ({
  type: { name, cores, gib: cores * 4, podLimit: 110, perMonthUsd },
  count,
})
const pods = (cores: number, count: number): PodGroup => ({ name: 'shop/web', cores, gib: cores, count })
const on = (...groups: readonly PodGroup[]) => ({ groups, everywhere: { cores: 0, gib: 0, pods: 0 } })
const limits = { headroom: 0, minNodes: 1, maxPools: 1 }

const together = { zones: [], spotShare: 0, splitsArm: false }
const textOf = (pools: readonly NodePool[] = []) =>
  pools.map(({ type, count }) => `${count} ${type.name}`).join(', ')

test('unneeded nodes are removed, or replaced by cheaper ones', () => {
  const current = [pool('large', 16, 400, 5)]
  const fewer = finish(fewerInParts(on(pods(1, 8)), together, limits, () => current))
  expect(textOf(fewer?.pools)).toBe('1 large')
  const candidates = [pool('small', 4, 90), pool('dear', 4, 300), ...current]
  const planned = finish(planParts(on(pods(1, 8)), together, limits, () => candidates))!
  expect(textOf(planned.pools)).toBe('3 small')
  expect(planned.perMonthUsd).toBe(270)
  expect(finish(holdParts(on(pods(1, 8)), planned, limits))).toBe(true)
  expect(finish(holdParts(on(pods(1, 13)), planned, limits))).toBe(false)
  expect(finish(fewerInParts(on(pods(40, 1)), together, limits, () => current))).toBeUndefined()
})

test('of pools that cost nearly the same, the fastest is chosen', () => {
  const fast = (name: string, perMonthUsd: number, speed: number): NodePool => {
    const slow = pool(name, 4, perMonthUsd)
    return { ...slow, type: { ...slow.type, speed } }
  }
  const chosen = (...candidates: readonly NodePool[]) =>
    finish(planParts(on(pods(1, 8)), together, limits, () => candidates))!.pools.map(({ type }) => type.name)
  const slow = fast('slow', 90, 0.9)
  expect(chosen(slow, fast('fast', 90.8, 1.4), fast('faster', 92, 1.5))).toEqual(['fast'])
  expect(chosen(slow, fast('fast', 90.5, 1.2), fast('faster', 90.8, 1.5))).toEqual(['faster'])
  expect(chosen(slow, pool('unknown', 4, 90.5))).toEqual(['unknown'])
  expect(chosen(slow, fast('slower', 90, 0.8))).toEqual(['slow'])
})

test('pods that tolerate it are planned on spot nodes, at least two', () => {
  const groups = [
    { ...pods(1, 10), toleratesSpot: true },
    { ...pods(1, 4), name: 'shop/db' },
  ]
  const byPart = (spotShare: number) => {
    const of = ({ isSpot }: { readonly isSpot: boolean }) => [
      pool(isSpot ? 'spot' : 'own', 8, isSpot ? 1 : 9),
    ]
    return textOf(finish(planParts(on(...groups), { ...together, spotShare }, limits, of))?.pools)
  }
  expect(byPart(0)).toBe('3 own')
  expect(byPart(0.7)).toBe('2 own, 2 spot')
  const parts = dividePods(groups, { ...together, spotShare: 0.7 })
  expect(parts.map(({ isSpot, groups: of }) => [isSpot, of.map(({ count }) => count)])).toEqual([
    [false, [4, 3]],
    [true, [7]],
  ])
})

test('pods are spread evenly over the nodes of all zones', () => {
  const zones = ['a', 'b', 'c']
  const spread = { ...pods(0.5, 11), hostSkew: 1 }
  const bound = { ...pods(4, 6), name: 'shop/db', zone: 'b', perNode: 1 }
  const plan = planParts(on(bound, spread), { ...together, zones }, limits, () => [pool('large', 12, 290)])
  const counts = finish(plan)!.pools.map(({ count }) => count)
  expect(new Set(counts).size).toBe(1)
})

test('bound pods stay in their zone, others are spread over all zones, and few types are used', () => {
  const zones = ['a', 'b', 'c']
  const bound = { ...pods(4, 2), name: 'shop/db', zone: 'b' }
  const parts = dividePods([bound, pods(1, 7)], { ...together, zones })
  expect(
    parts.map(({ zone, groups: of }) => [zone, of.map(({ name, count }) => `${count} ${name}`)]),
  ).toEqual([
    ['a', ['3 shop/web']],
    ['b', ['2 shop/db', '2 shop/web']],
    ['c', ['2 shop/web']],
  ])
  const types = [pool('small', 2, 50), pool('middle', 4, 100), pool('large', 12, 290)]
  const planned = finish(planParts(on(bound, pods(1, 7)), { ...together, zones }, limits, () => types))!
  expect([...planned.byPart.values()].map(textOf).every((text) => text !== '')).toBe(true)
  expect(new Set(planned.pools.map(({ type }) => type)).size).toBe(1)
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
