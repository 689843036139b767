import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type PriceMoves, pricePoints, priceSpread, type TimeWindow } from './price-points.ts'

const move = (at: number, before: number | null, after: number | null): PriceMoves[number] => ({
  at,
  change: { region: 'r', zone: '', operatingSystem: 'Linux', term: '', before, after },
})
const at = (ms: number) => new Date(ms).toISOString()
const window: TimeWindow = { now: 5, since: '2026-01-01', from: 10, until: 20 }

test('points are the price at the start and each later one', () => {
  const rows: [string, PriceMoves, Partial<TimeWindow>, [string, number | null][]][] = [
    ['none moved', [], { until: Date.parse('2026-02-01') }, [['2026-01-01', 5]]],
    ['none moved, and it is newer than the period', [], {}, []],
    ['gone, and never moved', [], { now: null }, []],
    ['moved before', [move(4, 3, 4)], {}, [[at(4), 4]]],
    ['moved inside', [move(12, 3, 4), move(15, 4, 5)], {}, [[at(10), 3], [at(12), 4], [at(15), 5]]], // biome-ignore format: one line
    ['moved after', [move(20, 4, 5)], {}, [[at(10), 4]]],
    ['new', [move(12, null, 5)], {}, [[at(12), 5]]],
    ['gone', [move(4, 2, 3), move(12, 3, null)], { now: null }, [[at(4), 3], [at(12), null]]], // biome-ignore format: one line
  ]
  for (const [what, moves, more, expected] of rows)
    expect(
      pricePoints(moves, { ...window, ...more }).map((p) => [p.from, p.cost_per_hour]),
      what,
    ).toEqual(expected)
})

test('the spread is weighted by time', () => {
  const prices = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 12 })
  fc.assert(
    fc.property(
      prices,
      fc.integer({ min: 0, max: 12 }),
      fc.integer({ min: 1, max: 12 }),
      (list, from, length) => {
        // The price is list[0] until 1, then list[1] until 2, ...
        const moves = list.slice(1).map((price, i) => move(i + 1, list[i]!, price))
        const until = from + length
        const moments = Array.from({ length }, (_, i) => list[Math.min(from + i, list.length - 1)]!).sort(
          (a, b) => a - b,
        )
        expect(priceSpread(moves, list.at(-1)!, from, until)).toEqual({
          minimum: moments[0],
          median: moments[Math.ceil(moments.length / 2) - 1],
          maximum: moments.at(-1),
        })
      },
    ),
  )
})

test('a time without a price does not count, and no price gives no spread', () => {
  expect(priceSpread([move(2, 1, null), move(8, null, 3)], 3, 0, 10)).toEqual({
    minimum: 1,
    median: 1,
    maximum: 3,
  })
  expect(priceSpread([], null, 0, 10)).toBeUndefined()
  expect(priceSpread([], 2, 0, 10)).toEqual({ minimum: 2, median: 2, maximum: 2 })
})
