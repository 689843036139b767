import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { canHold, leastUsd } from './brute-force.case.ts'
import { fewerNodes, placeOnPools } from './fewer-nodes.ts'
import { finish } from './finish.case.ts'
import { lowerBoundUsd, resourcePrices, worthOf } from './lower-bound.ts'
import { mixPools, podsWithoutNode } from './mix-pools.ts'
import { allocatableOn, type NodePool, type NodeType, type PoolRules, poolsPerMonthUsd } from './node-type.ts'
import { emptyNodes } from './pack.ts'
import type { PodGroup } from './pods.ts'
import { faultOf } from './verify.ts'

const plain: PoolRules = {
  everywhere: { cores: 0, gib: 0, pods: 0 },
  headroom: 0.1,
  minNodes: 3,
  maxPools: 1,
}
const type = (name: string, cores: number, gib: number, perMonthUsd: number): NodeType => ({
  name,
  cores,
  gib,
  perMonthUsd,
  podLimit: 110,
})
const pods = (cores: number, gib: number, count: number): PodGroup => ({
  name: `${cores}/${gib}`,
  cores,
  gib,
  count,
})
const [small, medium, large] = [
  type('small', 2, 8, 50),
  type('medium', 4, 16, 96),
  type('large', 16, 64, 400),
]

const cheapest = (groups: readonly PodGroup[], types: readonly NodeType[], rules = plain, work?: number) =>
  finish(mixPools(groups, types, rules, work))
const counts = (pools: readonly NodePool[] | undefined) =>
  pools?.map(({ type: { name }, count }) => `${count} x ${name}`).sort()

describe('the cheapest pools', () => {
  test.each([
    ['by sums three nodes are enough, but no two pods fit on one', [pods(2.5, 4, 5)], [medium], '6 x medium'],
    ['at least three nodes', [pods(0.1, 0.1, 1)], [large, small], '3 x small'],
    ['memory decides', [pods(0.1, 6, 10)], [small], '11 x small'],
    [
      'a large pod needs a large node',
      [pods(6, 20, 1), pods(0.5, 1, 4)],
      [small, medium, large],
      '3 x large',
    ],
  ] as const)('%s', (_, groups, types, expected) => {
    expect(counts(cheapest(groups, types)?.pools)).toEqual([expected])
  })

  test('a second type is added if that costs less', () => {
    const groups = [pods(6, 20, 1), pods(0.5, 1, 4)]
    const rules = { ...plain, maxPools: 2, headroom: 0 }
    expect(counts(cheapest(groups, [small, medium, large], rules)?.pools)).toEqual(['1 x large', '2 x small'])
    const noSurge = groups.map((group) => ({ ...group, surges: false }))
    const [cpu, memory] = [type('cpu', 16, 24, 200), type('memory', 4, 64, 200)]
    const many = [...noSurge, { ...pods(1, 0.5, 60), surges: false }, { ...pods(0.3, 8, 40), surges: false }]
    expect(counts(cheapest(many, [cpu, memory], rules)?.pools)).toHaveLength(2)
  })

  test('no node has more pods of a workload than its share', () => {
    const spread = { ...pods(0.5, 1, 6), perNode: 1, surges: false }
    expect(counts(cheapest([spread], [small, large])?.pools)).toEqual(['6 x small'])
  })

  test('the limit of pods on a node counts, and what runs on every node', () => {
    const tiny = [pods(0.01, 0.01, 300)]
    expect(counts(cheapest(tiny, [large])?.pools)).toEqual(['3 x large'])
    const everywhere = { cores: 0.5, gib: 0.5, pods: 10 }
    expect(counts(cheapest(tiny, [large], { ...plain, everywhere })?.pools)).toEqual(['4 x large'])
  })

  test('accelerators are counted', () => {
    const gpus = { ...pods(1, 2, 5), gpus: 1, surges: false }
    const card = { ...type('card', 16, 64, 900), gpus: 2 }
    expect(counts(cheapest([gpus], [large, card])?.pools)).toEqual(['3 x card'])
  })

  test('a pod larger than every node is named, and no pool holds it', () => {
    const groups = [pods(15, 300, 2), pods(0.5, 1, 4)]
    expect(podsWithoutNode(groups, [small, large], plain)).toEqual([groups[0]])
    expect(cheapest(groups, [small, large])).toBeUndefined()
    expect(podsWithoutNode(groups, [], plain)).toEqual(groups)
    expect(cheapest(groups, [])).toBeUndefined()
  })

  test('ten thousand pods', () => {
    const groups = Array.from({ length: 500 }, (_, i) => ({
      ...pods(0.1 + (i % 37) / 20, 0.2 + (i % 53) / 10, 20),
      name: `w${i}`,
    }))
    const types = [small, medium, large]
    const found = cheapest(groups, types)!
    expect(faultOf(groups, found.pools, found.nodes, plain)).toBeUndefined()
    expect(poolsPerMonthUsd(found.pools)).toBeLessThan(1.03 * lowerBoundUsd(groups, types, plain))
  })
})

describe('fewer nodes', () => {
  test.each([
    ['half of them do', [pods(1, 2, 10)], [{ type: medium, count: 8 }], [['medium', 4]]],
    ['all are needed', [pods(1, 2, 10)], [{ type: medium, count: 4 }], [['medium', 4]]],
    ['too few', [pods(1, 2, 10)], [{ type: medium, count: 3 }], undefined],
    [
      'the dear ones go',
      [pods(1, 2, 10)],
      [
        { type: medium, count: 5 },
        { type: large, count: 2 },
      ],
      [['medium', 4]],
    ],
    [
      'a large pod keeps a large node',
      [pods(1, 2, 4), pods(8, 16, 1)],
      [
        { type: medium, count: 6 },
        { type: large, count: 3 },
      ],
      [
        ['large', 2],
        ['medium', 1],
      ],
    ],
  ] as const)('%s', (_, groups, current, expected) => {
    const kept = finish(fewerNodes<NodePool>(groups, current, plain))
    expect(kept?.pools.map(({ type, count }) => [type.name, count])).toEqual(expected)
  })
})

const someType = fc
  .record({
    cores: fc.integer({ min: 1, max: 8 }),
    gib: fc.integer({ min: 2, max: 32 }),
    perMonthUsd: fc.integer({ min: 10, max: 200 }),
    podLimit: fc.integer({ min: 3, max: 8 }),
  })
  .map((each): NodeType => ({ name: JSON.stringify(each), ...each }))
const someGroups = fc
  .array(
    fc.record({
      cores: fc.integer({ min: 0, max: 30 }).map((tenths) => tenths / 10),
      gib: fc.integer({ min: 0, max: 40 }).map((fifths) => fifths / 5),
      count: fc.integer({ min: 1, max: 2 }),
      perNode: fc.constantFrom(1, 2),
      surges: fc.boolean(),
    }),
    { minLength: 1, maxLength: 4 },
  )
  .map((all) => all.map((each, i): PodGroup => ({ name: `w${i}`, ...each })))
const someRules = fc.record({
  everywhere: fc.record({
    cores: fc.constantFrom(0, 0.2),
    gib: fc.constantFrom(0, 0.5),
    pods: fc.constantFrom(0, 1),
  }),
  headroom: fc.constantFrom(0, 0.1, 0.3),
  minNodes: fc.integer({ min: 1, max: 3 }),
  maxPools: fc.integer({ min: 1, max: 3 }),
})

describe('random clusters', () => {
  test('few results are dearer than the cheapest that exists, and none is cheaper', () => {
    let [same, all, paid, least] = [0, 0, 0, 0]
    fc.assert(
      fc.property(
        someGroups,
        fc.array(someType, { minLength: 1, maxLength: 3 }),
        someRules,
        (groups, types, rules) => {
          const found = cheapest(groups, types, rules)
          const best = leastUsd(groups, types, rules, 6)
          if (best === undefined) return
          expect(found).toBeDefined()
          const usd = poolsPerMonthUsd(found!.pools)
          expect(faultOf(groups, found!.pools, found!.nodes, rules)).toBeUndefined()
          expect(usd).toBeGreaterThanOrEqual(Math.min(best, usd) - 1e-6)
          if (found!.nodes.length <= 6) expect(usd).toBeGreaterThanOrEqual(best - 1e-6)
          expect(lowerBoundUsd(groups, types, rules)).toBeLessThanOrEqual(best + 1e-6)
          all++
          if (usd <= best + 1e-6) same++
          paid += usd
          least += best
        },
      ),
      { seed: 1, numRuns: 150 },
    )
    expect(same / all).toBeGreaterThan(0.95)
    expect(paid / least).toBeLessThan(1.01)
  })

  test('pods are placed on every set of nodes that is said to hold them, and more work or types never cost more', () => {
    const each = fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 3, maxLength: 3 })
    const three = fc.array(someType, { minLength: 3, maxLength: 3 })
    fc.assert(
      fc.property(someGroups, three, each, someRules, (groups, types, numbers, rules) => {
        const pools = types.map((of, i) => ({ type: of, count: numbers[i]! }))
        const expanded = groups.flatMap((group) => Array.from({ length: group.count }, () => group))
        const placed = finish(placeOnPools(groups, pools, rules))
        if (placed !== undefined) {
          expect(canHold(expanded, groups, emptyNodes(pools, rules).flat())).toBe(true)
          expect(faultOf(groups, pools, placed, rules)).toBeUndefined()
        }
        const kept = finish(fewerNodes(groups, pools, rules))
        if (kept !== undefined) {
          expect(faultOf(groups, kept.pools, kept.nodes, rules)).toBeUndefined()
          expect(poolsPerMonthUsd(kept.pools)).toBeLessThanOrEqual(poolsPerMonthUsd(pools))
        }
        const usd = (work: number) => {
          const found = cheapest(groups, types, rules, work)
          return found === undefined ? Number.POSITIVE_INFINITY : poolsPerMonthUsd(found.pools)
        }
        expect(usd(1e6)).toBeLessThanOrEqual(usd(50))
        const prices = resourcePrices(groups, types, rules)
        for (const each of types) {
          const { cores, gib, pods } = allocatableOn(each, rules)
          const usable = 1 - rules.headroom
          expect(worthOf([cores * usable, gib * usable, pods, 0], prices)).toBeLessThanOrEqual(
            each.perMonthUsd + 1e-6,
          )
        }
      }),
      { seed: 3, numRuns: 300 },
    )
  })
})
