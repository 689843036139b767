import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { hourSeconds } from '../../domain/time.ts'

import type { HourlyUse } from '../../usage/reading/hourly-use.ts'
import { firstHour, podOf } from '../../usage/reading/pods.case.ts'
import { HourColumns, isRunningAt, maxConcurrent, SeenByHour } from './hour-columns.ts'
import { memoizeNodePrices, NodeLoads, type NodePrice, nodePriceOf, overfullLoad } from './nodes.ts'

const hour = fc.integer({ min: 0, max: 90 })
const size = fc.integer({ min: 1, max: 9 })

/** The content of columns as a map from hour to cores and GiB. */
type Twin = Map<number, [cores: number, gib: number]>

function columnsOf(added: readonly (readonly [number, number, number])[]): {
  columns: HourColumns
  twin: Twin
} {
  const columns = new HourColumns(firstHour + (added[0]?.[0] ?? 0))
  const twin: Twin = new Map()
  for (const [at, cores, gib] of added) {
    columns.add(firstHour + at, cores, gib)
    addTo(twin, at, cores, gib)
  }
  return { columns, twin }
}

function addTo(twin: Twin, at: number, cores: number, gib: number): void {
  const [a, b] = twin.get(at) ?? [0, 0]
  twin.set(at, [a + cores, b + gib])
}

function expectSame(columns: HourColumns, twin: Twin): void {
  for (let at = -5; at < 100; at++) {
    const index = firstHour + at - columns.first
    const isInside = index >= 0 && index < columns.length
    const found = isInside ? [columns.cores[index], columns.gib[index]] : [0, 0]
    expect(found).toEqual(twin.get(at) ?? [0, 0])
  }
}

const additions = fc.array(fc.tuple(hour, size, size), { maxLength: 12 })

test('columns contain the sums in any order of adding, and end after the last hour', () => {
  fc.assert(
    fc.property(additions, (added) => {
      const { columns, twin } = columnsOf(added)
      expectSame(columns, twin)
      expect(columns.end).toBe(columns.first + columns.length)
      if (added.length === 0) return
      expect(columns.first - firstHour).toBe(Math.min(...twin.keys()))
      expect(columns.end - firstHour).toBe(Math.max(...twin.keys()) + 1)
    }),
  )
})

test('columns can be added to columns', () => {
  fc.assert(
    fc.property(additions, additions, (some, others) => {
      const { columns, twin } = columnsOf(some)
      const { columns: other, twin: otherTwin } = columnsOf(others)
      columns.addAll(other)
      for (const [at, [cores, gib]] of otherTwin) addTo(twin, at, cores, gib)
      expectSame(columns, twin)
      expectSame(other, otherTwin)
    }),
  )
})

test('removed hours are 0 in the copy only', () => {
  fc.assert(
    fc.property(additions, hour, hour, (added, from, to) => {
      const { columns, twin } = columnsOf(added)
      const rest = columns.without(firstHour + from, firstHour + to)
      expectSame(columns, twin)
      for (const at of [...twin.keys()]) if (at >= from && at < to) twin.delete(at)
      expectSame(rest, twin)
    }),
  )
})

test('memory grows with the number of hours, and starts small', () => {
  const loads = new NodeLoads()
  expect(loads.nodeHours).toBe(0)
  loads.from('a', firstHour).add(firstHour + 31, 1, 1)
  loads.from('a', firstHour).add(firstHour, 1, 1)
  expect(loads.nodeHours).toBe(32)
  loads.from('a', firstHour).add(firstHour + 32, 1, 1)
  expect(loads.nodeHours).toBe(64)
  loads.from('b', firstHour).add(firstHour + 99, 1, 1)
  expect(loads.nodeHours).toBe(64 + 100)
})

test('loads of clusters are added node by node', () => {
  const [loads, other] = [new NodeLoads(), new NodeLoads()]
  loads.from('a', firstHour).add(firstHour, 1, 2)
  other.from('a', firstHour + 1).add(firstHour + 1, 3, 4)
  other.from('b', firstHour).add(firstHour, 5, 6)
  loads.addAll(other)
  expect(loads.at('a', firstHour)).toEqual({ cores: 1, gib: 2 })
  expect(loads.at('a', firstHour + 1)).toEqual({ cores: 3, gib: 4 })
  expect(loads.at('b', firstHour)).toEqual({ cores: 5, gib: 6 })
  expect(loads.at('a', firstHour + 2)).toEqual({ cores: 0, gib: 0 })
  expect(loads.columnsOf('c')).toBeUndefined()
})

test('a load that costs more than its node in one of the hours is overfull, together with its change', () => {
  const price = { corePerHourUsd: 1, gibPerHourUsd: 1, perHourUsd: 4 }
  const [load, change] = [new HourColumns(firstHour), new HourColumns(firstHour + 1)]
  load.add(firstHour + 1, 1, 2)
  change.add(firstHour + 1, 1, 0.5)
  const hours = { from: firstHour, to: firstHour + 9 }
  const overfull = overfullLoad(price, hours, load, change)
  expect([overfull?.cores[1], overfull?.gib[1]]).toEqual([2, 2.5])
  expect(load.cores[1]).toBe(1)
  expect(overfullLoad(price, hours, load, undefined)).toBeUndefined()
  expect(overfullLoad({ ...price, perHourUsd: 4.5 }, hours, load, change)).toBeUndefined()
  expect(overfullLoad({ ...price, perHourUsd: null }, hours, load, change)).toBeUndefined()
  expect(overfullLoad(price, { from: firstHour, to: firstHour + 1 }, load, change)).toBeUndefined()
  expect(overfullLoad(price, hours, undefined, undefined)).toBeUndefined()
})

describe('the time when anything was last seen', () => {
  const seen = (hours: readonly number[], last: number) =>
    ({
      hours: hours.map((at) => firstHour + at),
      lasts: hours.map(() => last),
      seconds: hours.map(() => 0),
      length: hours.length,
    }) as unknown as HourlyUse
  const uses = fc.array(
    fc.tuple(fc.uniqueArray(hour, { maxLength: 4 }), fc.integer({ min: 0, max: hourSeconds - 1 })),
    { maxLength: 5 },
  )
  const build = (added: readonly (readonly [number[], number])[]) => {
    const last = new SeenByHour()
    const twin = new Map<number, number>()
    for (const [hours, second] of added) {
      last.add(
        seen(
          hours.toSorted((a, b) => a - b),
          second,
        ),
      )
      for (const at of hours) twin.set(at, Math.max(twin.get(at) ?? 0, second))
    }
    return { last, twin }
  }
  const lastOf = (twin: ReadonlyMap<number, number>, from: number, to: number) => {
    const latest = Math.max(...[...twin.keys()].filter((at) => at >= from && at < to))
    return latest >= 0 ? (firstHour + latest) * hourSeconds + twin.get(latest)! : 0
  }

  test('is found in any range of hours', () => {
    fc.assert(
      fc.property(uses, uses, hour, hour, (some, others, from, to) => {
        const { last, twin } = build(some)
        expect(last.lastIn(firstHour + from, firstHour + to)).toBe(lastOf(twin, from, to))
        const rest = last.without(firstHour + from, firstHour + to)
        const left = new Map([...twin].filter(([at]) => at < from || at >= to))
        expect(rest.lastIn(firstHour - 9, firstHour + 99)).toBe(lastOf(left, -9, 99))
        expect(last.lastIn(firstHour - 9, firstHour + 99)).toBe(lastOf(twin, -9, 99))

        const { last: other, twin: otherTwin } = build(others)
        last.addAll(other)
        for (const [at, second] of otherTwin) twin.set(at, Math.max(twin.get(at) ?? 0, second))
        for (let at = -2; at < 95; at++)
          expect(last.lastIn(firstHour + at, firstHour + at + 1)).toBe(lastOf(twin, at, at + 1))
      }),
    )
  })

  test('is found in the hours of a pod', () => {
    const { use } = podOf({ hours: 3, seconds: 900 })
    const last = new SeenByHour()
    last.add(use)
    expect(last.lastIn(firstHour, firstHour + 3)).toBe((firstHour + 2) * hourSeconds + use.lasts[2]!)
    expect(last.lastIn(firstHour + 3, firstHour + 9)).toBe(0)
  })

  test.each([
    ['from minute 39 on', 1260 - 60, 39 / 60],
    ['from minute 13 on', 2820 - 60, 13 / 60],
    ['from second 10 on', 3600 - 60 - 10, 0],
  ])('a cluster that begins to send %s was measured from hour %d on', (_, seconds, start) => {
    const begins = podOf({ hours: 1, seconds, lastSecond: 3540 })
    const seen = new SeenByHour()
    seen.add(podOf({ from: firstHour + 1, hours: 3 }).use)
    expect(seen.startIn(firstHour, firstHour + 4)).toBe(firstHour + 1)
    seen.add(begins.use)
    expect(seen.startIn(firstHour, firstHour + 4)).toBeCloseTo(firstHour + start, 9)
    expect(seen.startIn(firstHour - 2, firstHour)).toBe(firstHour)
    expect(seen.without(firstHour, firstHour + 1).startIn(firstHour, firstHour + 4)).toBe(firstHour + 1)
  })
})

describe('replicas', () => {
  test.each<[string, [number, number][], number]>([
    ['none', [], 0],
    ['one', [[5, 9]], 1],
    [
      'one after the other',
      [
        [0, 5],
        [5, 9],
      ],
      1,
    ],
    [
      'overlapping by a second',
      [
        [0, 6],
        [5, 9],
      ],
      2,
    ],
    [
      'three, two of them at a time',
      [
        [0, 6],
        [5, 9],
        [8, 12],
      ],
      2,
    ],
    [
      'seen once, at the same second',
      [
        [5, 5],
        [5, 5],
      ],
      2,
    ],
    [
      'seen once, a second apart',
      [
        [5, 5],
        [6, 6],
      ],
      1,
    ],
  ])('%s', (_, lives, most) => {
    expect(maxConcurrent(lives.map(([from, to]) => ({ from, to })))).toBe(most)
  })

  test('the maximum equals that of a count at every start', () => {
    const life = fc.tuple(fc.nat(50), fc.nat(20)).map(([from, long]) => ({ from, to: from + long }))
    fc.assert(
      fc.property(fc.array(life), (lives) => {
        const at = (second: number) =>
          lives.filter(({ from, to }) => from <= second && second < Math.max(to, from + 1)).length
        expect(maxConcurrent(lives)).toBe(Math.max(0, ...lives.map(({ from }) => at(from))))
      }),
    )
  })

  test('a container seen within the last quarter of an hour is running', () => {
    expect([isRunningAt(1000, 1900), isRunningAt(999, 1900)]).toEqual([true, false])
  })
})

test('a price is looked up once for each node of each cluster', () => {
  const asked: string[] = []
  const prices = memoizeNodePrices({
    priceOf: (cluster, node): NodePrice => {
      asked.push(`${cluster}/${node}`)
      return { corePerHourUsd: asked.length, gibPerHourUsd: 0, perHourUsd: null }
    },
  })
  const cores = [
    ['a', 'n'],
    ['a', 'n'],
    ['a', 'm'],
    ['b', 'n'],
    ['b', 'n'],
  ].map(([cluster, node]) => nodePriceOf(prices, cluster!, node).corePerHourUsd)
  expect(cores).toEqual([1, 1, 2, 3, 3])
  expect(nodePriceOf(prices, 'a', undefined).perHourUsd).toBeNull()
  expect(asked).toEqual(['a/n', 'a/m', 'b/n'])
})
