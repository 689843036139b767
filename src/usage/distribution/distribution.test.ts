import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ByteReader, MalformedBytes } from '../../runtime/bytes/byte-reader.ts'
import { ByteWriter } from '../../runtime/bytes/byte-writer.ts'
import { bucketCount, bucketLower, bucketOf, bucketValue, maxValue } from './buckets.ts'
import { Distribution } from './distribution.ts'
import { DistributionDecoder, DistributionSkipper } from './read-distribution.ts'
import { DistributionSum } from './sum.ts'
import { writeDistribution } from './write-distribution.ts'

/** Weight of the values above x. */
const countAbove = (distribution: Distribution, x: number): number =>
  [...distribution].reduce((above, { value, count }) => above + (value > x ? count : 0), 0)

/** No percentile read from buckets is further than this from a true sample, relative to the sample. */
const relativeError = 0.01

const value = fc.oneof(
  fc.nat({ max: 200 }),
  fc.nat({ max: 4_000_000 }),
  fc.nat({ max: 2 ** 23 }).map((pages) => pages * 4096),
  fc.integer({ min: 0, max: maxValue }),
)
const weight = fc.oneof(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 1, max: 2 ** 31 }))
const observations = fc.array(fc.tuple(value, weight), { maxLength: 60 })

function build(list: readonly (readonly [number, number])[]): Distribution {
  const distribution = new Distribution()
  for (const [value, weight] of list) distribution.add(value, weight)
  return distribution
}

function encode(distribution: Distribution): Uint8Array {
  const writer = new ByteWriter()
  writeDistribution(writer, distribution)
  return writer.finish()
}

const parts = (distribution: Distribution) => {
  const { buckets, counts, ...exact } = distribution.parts()
  return { buckets: [...buckets], counts: [...counts], ...exact, count: distribution.count }
}

test('buckets adjoin, and their ends are within the maximum error of their value', () => {
  for (let bucket = 0; bucket < bucketCount; bucket++) {
    const low = bucketLower(bucket)
    const high = bucketLower(bucket + 1) - 1
    expect(bucketOf(low)).toBe(bucket)
    if (high <= maxValue) expect(bucketOf(high)).toBe(bucket)
    const chosen = bucketValue(bucket)
    for (const end of [low, high])
      expect(Math.abs(chosen - end)).toBeLessThanOrEqual(end * relativeError * (1 + 1e-12))
  }
  expect(bucketLower(bucketCount)).toBeGreaterThan(maxValue)
})

test('any percentile is within 1% of the exact one', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(value, weight), { minLength: 1, maxLength: 60 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (list, q) => {
        const exact = exactQuantile(list, q)
        expect(Math.abs(build(list).quantile(q) - exact)).toBeLessThanOrEqual(
          exact * relativeError * (1 + 1e-12),
        )
      },
    ),
    { numRuns: 2000 },
  )
})

test('percentiles rise with q, from the minimum to the maximum', () => {
  fc.assert(
    fc.property(observations, (list) => {
      if (list.length === 0) return
      const distribution = build(list)
      const read = Array.from({ length: 101 }, (_, percent) => distribution.quantile(percent / 100))
      expect(read).toEqual(read.toSorted((a, b) => a - b))
      expect(read[0]).toBe(Math.min(...list.map(([value]) => value)))
      expect(read[100]).toBe(Math.max(...list.map(([value]) => value)))
    }),
  )
})

test('count and sum are exact, far beyond 2^53', () => {
  fc.assert(
    fc.property(observations, (list) => {
      const distribution = build(list)
      expect(distribution.count).toBe(list.reduce((sum, [, weight]) => sum + weight, 0))
      expect(distribution.exactSum).toBe(
        list.reduce((sum, [value, weight]) => sum + BigInt(value) * BigInt(weight), 0n),
      )
    }),
  )
})

test('merging in any order and grouping gives the same bits as adding all', () => {
  fc.assert(
    fc.property(observations, observations, observations, (a, b, c) => {
      const all = parts(build([...a, ...b, ...c]))
      expect(parts(build(a).merge(build(b)).merge(build(c)))).toEqual(all)
      expect(parts(build(c).merge(build(b).merge(build(a))))).toEqual(all)
      expect(parts(new Distribution().merge(build([...b, ...a, ...c])))).toEqual(all)
    }),
  )
})

test('columns equal what is read one by one', () => {
  fc.assert(
    fc.property(observations, fc.nat({ max: 3 }), (list, from) => {
      const distribution = build(list)
      const [values, weights] = [new Float64Array(from + 60), new Float64Array(from + 60)]
      const end = distribution.fill(values, weights, from, 1024)
      expect(end).toBe(from + distribution.size)
      const filled = Array.from(values.subarray(from, end), (value, index) => ({
        value,
        count: weights[from + index],
      }))
      expect(filled).toEqual([...distribution].map(({ value, count }) => ({ value: value / 1024, count })))
    }),
  )
})

test('countAbove never counts what is more than 1% below, nor misses what is more than 1% above', () => {
  fc.assert(
    fc.property(observations, value, (list, x) => {
      const weightAbove = (limit: number) =>
        list.reduce((sum, [value, weight]) => sum + (value > limit ? weight : 0), 0)
      const above = countAbove(build(list), x)
      expect(above).toBeGreaterThanOrEqual(weightAbove(x * 1.0203))
      expect(above).toBeLessThanOrEqual(weightAbove(x * 0.98))
    }),
  )
})

test('decoded distributions equal the encoded ones, and encoding is deterministic', () => {
  fc.assert(
    fc.property(observations, (list) => {
      const bytes = encode(build(list))
      const reader = new ByteReader(bytes)
      const decoded = new DistributionDecoder().decode(reader)
      expect(parts(decoded)).toEqual(parts(build(list)))
      expect(reader.offset).toBe(bytes.length)
      expect(encode(build(list.toReversed()))).toEqual(bytes)
    }),
  )
})

test('a sum of many objects or bytes equals merging them one by one', () => {
  fc.assert(
    fc.property(fc.array(observations, { maxLength: 6 }), (lists) => {
      const merged = parts(lists.reduce((sum, list) => sum.merge(build(list)), new Distribution()))
      const [fromObjects, fromBytes] = [new DistributionSum(), new DistributionSum()]
      for (const list of lists) {
        fromObjects.add(build(list))
        fromBytes.addFrom(new ByteReader(encode(build(list))))
      }
      expect(parts(fromObjects.total())).toEqual(merged)
      expect(parts(fromBytes.total())).toEqual(merged)
    }),
  )
})

test('skipping a distribution gives its count, its sum and its end', () => {
  fc.assert(
    fc.property(observations, (list) => {
      const distribution = build(list)
      const bytes = encode(distribution)
      const reader = new ByteReader(Buffer.concat([bytes, Buffer.from([1, 2, 3])]))
      const skim = new DistributionSkipper()
      skim.addFrom(reader)
      expect([skim.count, skim.sum]).toEqual([distribution.count, Number(distribution.exactSum)])
      expect(reader.offset).toBe(bytes.length)
      for (let end = 0; end < bytes.length; end++)
        expect(() => new DistributionSkipper().addFrom(new ByteReader(bytes.subarray(0, end)))).toThrow(
          MalformedBytes,
        )
    }),
  )
})

test('wrong bytes are refused or read, and cause no other error', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
      try {
        new DistributionSkipper().addFrom(new ByteReader(bytes))
        new DistributionSum().addFrom(new ByteReader(bytes))
        new DistributionDecoder().decode(new ByteReader(bytes))
      } catch (error) {
        expect(error).toBeInstanceOf(MalformedBytes)
      }
    }),
    { numRuns: 2000 },
  )
})

test('values that are not whole numbers in range are refused', () => {
  for (const [value, weight] of [
    [-1, 1],
    [0.5, 1],
    [Number.NaN, 1],
    [maxValue + 1, 1],
    [1, -1],
    [1, 1.5],
  ] as const)
    expect(() => build([[value, weight]])).toThrow(RangeError)
})

test('an empty distribution has no percentiles and a count of 0', () => {
  const empty = new Distribution()
  expect([empty.quantile(0.5), empty.max, empty.min, empty.mean]).toEqual([NaN, NaN, NaN, NaN])
  expect([empty.count, empty.sum, countAbove(empty, 0), [...empty]]).toEqual([0, 0, 0, []])
})

function exactQuantile(list: readonly (readonly [number, number])[], q: number): number {
  const sorted = list.toSorted(([a], [b]) => a - b)
  const total = sorted.reduce((sum, [, weight]) => sum + weight, 0)
  let seen = 0
  for (const [value, weight] of sorted) {
    seen += weight
    if (seen >= q * total) return value
  }
  return sorted.at(-1)![0]
}
