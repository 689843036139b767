import { expect, test } from 'vitest'
import type { HeapMeaning } from '../../domain/usage-series.ts'
import { emptyDigest } from './digest.ts'
import { HeapPools } from './heap-pools.ts'

const series = (
  part: HeapMeaning['part'],
  pool: string,
  area: HeapMeaning['area'] = 'heap',
): HeapMeaning => ({
  fact: 'heap',
  cluster: 'c',
  namespace: 'shop',
  pod: 'web-1',
  container: 'app',
  part,
  area,
  pool,
})

const mib = 2 ** 20
const minute = 60_000

/** Records each series on its own, with values in MiB in the course of an hour. The order of series must not matter. */
function marksOf(all: readonly (readonly [HeapMeaning, readonly number[]])[], everyMinutes = 10) {
  const digest = emptyDigest(1)
  const pools = new HeapPools()
  for (const [meaning, values] of all)
    for (const [index, value] of values.entries())
      pools.record(digest, meaning, index * everyMinutes * minute, value * mib)
  const inMib = (kib: number) => kib / 1024
  return {
    low: inMib(digest.heapLowKib),
    limit: inMib(digest.heapLimitKib),
    nonHeap: inMib(digest.nonHeapHighKib),
  }
}

test('pools are added up, except those that a collection empties', () => {
  expect(
    marksOf([
      [series('used', 'G1 Eden Space'), [10, 300, 20, 310, 15, 290]],
      [series('used', 'G1 Survivor Space'), [8, 8, 4, 4, 8, 8]],
      [series('used', 'G1 Old Gen'), [200, 210, 220, 150, 160, 170]],
      [series('limit', 'G1 Old Gen'), [1024]],
      [series('used', 'Metaspace', 'nonheap'), [60, 61, 62]],
      [series('used', "CodeHeap 'profiled nmethods'", 'nonheap'), [20, 30, 30]],
    ]),
  ).toEqual({ low: 154, limit: 1024, nonHeap: 92 })
})

test('the whole heap counts as a pool if there is no other', () => {
  expect(marksOf([[series('used', ''), [400, 900, 350, 800]]]).low).toBe(350)
  const both = [
    [series('used', ''), [400, 900, 350, 800]],
    [series('used', 'PS Old Gen'), [300, 310, 320, 330]],
  ] as const
  expect(marksOf(both).low).toBe(300)
  const limits = [
    [series('limit', ''), [1000]],
    [series('limit', 'PS Old Gen'), [700]],
  ] as const
  expect(marksOf(limits).limit).toBe(1000)
})

test('memory left after a collection counts, however old the collection is', () => {
  const used = [series('used', 'G1 Old Gen'), [500, 510, 520, 530]] as const
  expect(marksOf([used, [series('collected', 'G1 Old Gen'), [90, 90, 90, 90]]]).low).toBe(90)
  expect(marksOf([used, [series('collected', 'G1 Old Gen'), [0, 0, 0, 0]]]).low).toBe(500)
  expect(marksOf([used, [series('live', ''), [120]]]).low).toBe(120)
  expect(marksOf([[series('live', ''), [120]]]).low).toBe(120)
})

test('a few minutes are too short to know what a collection leaves', () => {
  expect(marksOf([[series('used', 'G1 Old Gen'), [500, 510]]]).low).toBe(0)
})

test('the number of pool names is limited', () => {
  const many = Array.from({ length: 40 }, (_, n) => [series('used', `pool ${n}`, 'nonheap'), [1]] as const)
  expect(marksOf(many).nonHeap).toBe(16)
})
