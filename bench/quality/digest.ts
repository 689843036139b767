import type { UsageDistribution } from '../../src/rightsizing/input.ts'
import { Distribution } from '../../src/usage/distribution/distribution.ts'

/** Returns what the service stores about an hour. */
export function digestOf(samples: Float32Array, unit: number): UsageDistribution | null {
  const distribution = new Distribution()
  for (const value of samples) if (value >= 0) distribution.add(Math.round(value * unit))
  return distribution.count === 0 ? null : distribution
}

/** Returns the samples unchanged, for the public policies: their published figures are based on samples. */
export function exactly(samples: Float32Array, unit: number): UsageDistribution | null {
  const buckets: { value: number; count: number }[] = []
  let [sum, max] = [0, 0]
  for (const value of samples) {
    if (!(value >= 0)) continue
    buckets.push({ value: value * unit, count: 1 })
    sum += value * unit
    max = Math.max(max, value * unit)
  }
  return buckets.length === 0
    ? null
    : { count: buckets.length, sum, max, [Symbol.iterator]: () => buckets[Symbol.iterator]() }
}
