import { expect, test } from 'vitest'
import type { UsageSpan } from '../input.ts'
import { recommend } from '../recommend.ts'
import { prices, spansOf } from '../usage.case.ts'
import type { MemoryFacts, RequestsAndLimits } from '../workload.ts'

interface Given {
  /** GiB of each sample of an hour. */
  readonly gib: (hour: number) => number[]
  readonly days?: number
  readonly facts?: MemoryFacts
  readonly current?: RequestsAndLimits
  readonly more?: (hour: number) => Partial<UsageSpan>
}

interface Expected {
  /** Range in GiB, both ends inclusive. */
  readonly memory: readonly [from: number, to: number]
  readonly upper?: readonly [from: number, to: number]
  readonly says?: RegExp
  readonly saysNot?: RegExp
}

function recommendWith({ gib, days = 10, facts, current, more }: Given) {
  const workload = {
    spans: spansOf(days, { cpu: () => [0.2], gib }, more),
    ...(facts === undefined ? {} : { memoryFacts: facts }),
    ...(current === undefined ? {} : { current }),
  }
  return recommend(workload, { atHour: days * 24, model: {}, prices })
}

function check(given: Given, { memory, upper, says, saysNot }: Expected): void {
  const { memory: part, reasons } = recommendWith(given)
  const proposed = part!.worthChanging ? part!.target : part!.current!
  expect(proposed).toBeGreaterThanOrEqual(memory[0])
  expect(proposed).toBeLessThanOrEqual(memory[1])
  expect(part!.lower).toBeLessThanOrEqual(part!.target)
  expect(part!.upper).toBeGreaterThanOrEqual(part!.target)
  if (upper !== undefined) {
    expect(part!.upper).toBeGreaterThanOrEqual(upper[0])
    expect(part!.upper).toBeLessThanOrEqual(upper[1])
  }
  if (says !== undefined) expect(reasons.join(' ')).toMatch(says)
  if (saysNot !== undefined) expect(reasons.join(' ')).not.toMatch(saysNot)
}

const steady = (gib: number) => () => [gib, gib, gib, gib]
/** Memory that rises from low to top within each hour. */
const sawTooth = (low: number, top: number) => () =>
  Array.from({ length: 60 }, (_, minute) => low + ((top - low) * minute) / 59)
const heap: MemoryFacts = { heapLowGib: 1, heapLimitGib: 4, nonHeapGib: 0.3 }

test.each<[string, Given, Expected]>([
  [
    'a heap at its limit is sized in full, and a smaller heap is suggested',
    { gib: steady(4.5), facts: heap, current: { memoryRequest: 8, memoryLimit: 10 } },
    {
      memory: [4.69, 4.71],
      says: /Java heap of at most 4 GiB \(-Xmx\) with 1 GiB in use after garbage collection.* up to 4.7 GiB.* with -Xmx at 2 GiB the container would need only 2.5 GiB/,
    },
  ],
  [
    'a heap below its limit is sized by its usage, with room for twice the live data',
    { gib: steady(1.2), facts: heap, current: { memoryRequest: 8 } },
    { memory: [2.49, 2.51], says: /has not grown to its limit/ },
  ],
  [
    'a limit that equals the request stays large enough for the whole heap',
    { gib: steady(1.2), facts: heap, current: { memoryRequest: 5.6, memoryLimit: 5.6 } },
    { memory: [4.69, 4.71], says: /the limit equals the request, and the container is killed above it/ },
  ],
  [
    'a full heap is not made smaller, and the reasons name what it needs',
    { gib: steady(4.5), facts: { ...heap, heapLowGib: 3.4 }, current: { memoryRequest: 6 } },
    { memory: [6, 6], says: /85% full and needs more, so the request is not reduced. With -Xmx at 6.8 GiB/ },
  ],
  [
    'a heap that is a share of the limit keeps headroom when the limit is lowered',
    {
      gib: steady(2.4),
      facts: { heapLowGib: 1.2, heapLimitGib: 4, nonHeapGib: 0.2 },
      current: { memoryRequest: 8, memoryLimit: 8 },
    },
    { memory: [4.79, 4.81], says: /heap limit is 50% of the container's limit and may depend on it/ },
  ],
  [
    'resident memory includes threads and buffers outside the heap',
    { gib: steady(6), facts: { ...heap, rssGib: 5.6 }, current: { memoryRequest: 9 } },
    { memory: [5.59, 5.61], says: /up to 5.6 GiB/ },
  ],
  [
    'growth below the heap limit is not a leak',
    { gib: (hour) => [1 + hour / 240], facts: heap },
    { memory: [2, 4.71], saysNot: /leak/ },
  ],
  [
    'without JVM metrics, a sawtooth of constant height is not made smaller',
    { gib: sawTooth(1, 2), current: { memoryRequest: 4, memoryLimit: 6 } },
    { memory: [4, 4], says: /repeatedly rises to 2 GiB and falls back to 1.03 GiB.* not reduced/ },
  ],
  [
    'a sawtooth without a request is not sized below its top',
    { gib: sawTooth(1, 2), days: 1 },
    { memory: [2, 4], says: /garbage-collected heap at its limit/ },
  ],
  [
    'memory at its limit may need more',
    { gib: steady(3.95), current: { memoryRequest: 4, memoryLimit: 4 } },
    { memory: [4, 5], says: /usage stays at 3.95 GiB, which is its limit/ },
  ],
  [
    'a batch job with the same peak every day is not a heap',
    { gib: (hour) => (hour % 24 < 3 ? [2, 2] : [0.5, 0.5]), current: { memoryRequest: 8 } },
    { memory: [2, 3.5], saysNot: /repeatedly rises/ },
  ],
  [
    'a day that is busier than the night is not a heap',
    {
      gib: (hour) => [1.5 + Math.sin((hour / 12) * Math.PI) / 2],
      current: { memoryRequest: 8 },
    },
    { memory: [2, 3.5], saysNot: /repeatedly rises/ },
  ],
  [
    'page cache counts half',
    {
      gib: steady(4),
      facts: { rssGib: 1, cacheGib: 3.5, mappedGib: 0.1 },
      current: { memoryRequest: 8, memoryLimit: 16 },
    },
    {
      memory: [2.5, 3.6],
      says: /3 GiB of 4 GiB is page cache, which the kernel can reclaim, so half of it counts/,
    },
  ],
  [
    'page cache counts in full for a limit that equals the request',
    {
      gib: steady(4),
      facts: { rssGib: 1, cacheGib: 3.5, mappedGib: 0.1 },
      current: { memoryRequest: 8, memoryLimit: 8 },
    },
    { memory: [4.59, 4.61], says: /the limit equals the request, and the container is killed above it/ },
  ],
  [
    'page cache counts in full if it may be shared memory',
    { gib: steady(4), facts: { rssGib: 1, cacheGib: 3.5 }, current: { memoryRequest: 8 } },
    { memory: [4, 6], says: /or shared memory, which cannot be reclaimed/ },
  ],
  [
    'mapped shared memory counts in full',
    { gib: steady(4), facts: { rssGib: 1, cacheGib: 3.5, mappedGib: 3.4 } },
    { memory: [4, 6], saysNot: /page cache/ },
  ],
  [
    'after an OOM kill all page cache counts',
    {
      gib: steady(4),
      facts: { rssGib: 1, cacheGib: 3.5, mappedGib: 0.1 },
      current: { memoryRequest: 4, memoryLimit: 4 },
      more: (hour) => ({ oomKills: hour === 238 ? 1 : 0 }),
    },
    {
      memory: [4.8, 4.81],
      says: /3 GiB of 4 GiB is page cache, all of which counts because the container was OOM-killed.*killed once/s,
      saysNot: /container_memory_mapped_file/,
    },
  ],
  [
    'a peak that only the kernel recorded widens the bounds',
    { gib: steady(1), facts: { kernelPeakGib: 3 } },
    { memory: [1, 1.6], upper: [3, 3], says: /kernel recorded a peak of 3 GiB between samples/ },
  ],
  [
    'a peak of the kernel is ignored if page cache filled the limit',
    { gib: steady(1), facts: { kernelPeakGib: 3.9 }, current: { memoryRequest: 2, memoryLimit: 4 } },
    { memory: [1, 1.6], saysNot: /kernel/ },
  ],
])('%s', (_, given, expected) => check(given, expected))

test('restarts other than OOM kills widen the bounds and lower the confidence', () => {
  const calm = recommendWith({ gib: steady(1) })
  const restless = recommendWith({ gib: steady(1), more: (hour) => ({ restarts: hour % 48 === 5 ? 1 : 0 }) })
  expect(restless.reasons.join(' ')).toMatch(/restarted 5 times in the last 14 days without an OOM kill/)
  expect(restless.memory!.target).toBe(calm.memory!.target)
  expect(restless.memory!.upper).toBeCloseTo(1.25 * calm.memory!.upper, 9)
  expect(restless.confidence).toBeCloseTo(0.8 * calm.confidence, 9)
  const killed = recommendWith({ gib: steady(1), more: () => ({ restarts: 1, oomKills: 1 }) })
  expect(killed.reasons.join(' ')).not.toMatch(/restarted/)
})
