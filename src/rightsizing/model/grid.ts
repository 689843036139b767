import type { Resource } from '../input.ts'
import type { SeriesFeatures } from './features.ts'

/**
 * The sizes of which a request is a multiple. Percentiles of time have a half-life of three days; the peak is of
 * fourteen days.
 */
export const bases = {
  p95: { resource: 'cpu', size: 's95', says: '95th percentile of time, recent days weighted more' },
  p99: { resource: 'cpu', size: 's99', says: '99th percentile of time, recent days weighted more' },
  p995: { resource: 'cpu', size: 's995', says: '99.5th percentile of time, recent days weighted more' },
  peak: { resource: 'memory', size: 'peak14', says: 'highest of the last 14 days' },
} as const satisfies Record<string, { resource: Resource; size: string; says: string }>
export type BaseName = keyof typeof bases
export const baseNames = Object.keys(bases) as BaseName[]
export const basesOf = (resource: Resource): readonly BaseName[] => basesByResource.get(resource)!
const basesByResource: ReadonlyMap<Resource, readonly BaseName[]> = Map.groupBy(
  baseNames,
  (name): Resource => bases[name].resource,
)

/** The smallest requests, in cores and GiB (100 MB). */
export const floors = { cpu: 0.01, memory: 100e6 / 2 ** 30 } as const satisfies Record<Resource, number>

export function baseOf(knowledge: SeriesFeatures, name: BaseName): number {
  const { resource, size } = bases[name]
  return Math.max(knowledge.sizes[size] ?? 0, floors[resource] / 2)
}

const minRatio = 1e-3

/**
 * Returns a function that writes the features for a base: sizes as logarithms of their ratio to the base, shapes as
 * they are, and last the logarithm of the base itself.
 */
export function featuresByBase({
  sizes,
  shapes,
}: SeriesFeatures): (base: number, workspace?: FeaturesWorkspace) => Float32Array {
  const [sizeValues, shapeValues] = [Object.values(sizes), Object.values(shapes)]
  return (base, workspace = new FeaturesWorkspace()) => {
    const features = workspace.ofLength(sizeValues.length + shapeValues.length + 1)
    for (let index = 0; index < sizeValues.length; index++)
      features[index] = Math.log(Math.max(sizeValues[index]! / base, minRatio))
    for (let index = 0; index < shapeValues.length; index++)
      features[sizeValues.length + index] = shapeValues[index]!
    features[features.length - 1] = Math.log(base)
    return features
  }
}

/** Memory that features are written to. They are valid until the next ones are written. */
export class FeaturesWorkspace {
  #features = new Float32Array()

  ofLength(length: number): Float32Array {
    if (this.#features.length !== length) this.#features = new Float32Array(length)
    return this.#features
  }
}

export const featuresOf = (knowledge: SeriesFeatures, base: number): Float32Array =>
  featuresByBase(knowledge)(base)

/**
 * The sizes that a request is chosen from, as logarithms of multiples of a series' base: 0.6% apart near the base, where
 * most requests lie, then 7% of their distance apart, up to eleven times the base and down to an eleventh.
 */
export const logMultiples = buildGrid()
export const multiples = logMultiples.map(Math.exp)
export const gridSize = logMultiples.length
/** Distance from each multiple to the next. */
const steps = multiples.map((multiple, k) => (multiples[k + 1] ?? multiple) - multiple)

/**
 * A bucket's value represents samples up to 1% around it. A third of them is assumed at each of these multiples of the
 * value.
 */
const aroundBucket = [1 - 0.02 / 3, 1, 1 + 0.02 / 3] as const

/**
 * For each multiple, the share of the weight above base x multiple. Values are those of buckets, ascending; the peak is
 * exact.
 */
export function exceedance(
  values: Float64Array,
  weights: Float64Array,
  peak: number,
  base: number,
): Float32Array {
  const shares = new Float32Array(gridSize)
  let total = 0
  for (const weight of weights) total += weight
  for (const part of aroundBucket) {
    let [next, above] = [values.length - 1, 0]
    for (let k = gridSize - 1; k >= 0; k--) {
      const size = base * multiples[k]!
      while (next >= 0 && values[next]! * part > size) above += weights[next--]!
      if (size < peak) shares[k]! += above / total / aroundBucket.length
    }
  }
  return shares
}

/** For each multiple, 1 if the peak lies above base x multiple, otherwise 0. */
export function peakExceedance(peak: number, base: number): Float32Array {
  return Float32Array.from(multiples, (multiple) => (peak > base * multiple ? 1 : 0))
}

/**
 * Mean usage above base x multiple, as a multiple of the base: the integral of the share above.
 * A share of 0.5 up to the base and 0 beyond it gives 0.25 at half the base. Computed only while shares are at most `most`.
 */
export function excess(
  shares: Float32Array,
  most = 1,
  sums: Float64Array = new Float64Array(gridSize),
): Float64Array {
  sums[gridSize - 1] = 0
  for (let k = gridSize - 2; k >= 0 && !(shares[k]! > most); k--)
    sums[k] = sums[k + 1]! + ((shares[k]! + shares[k + 1]!) / 2) * steps[k]!
  return sums
}

function buildGrid(): Float64Array {
  const up = [0]
  while (up.at(-1)! < 2.4) up.push(up.at(-1)! + Math.max(0.006, 0.07 * up.at(-1)!))
  return Float64Array.from([...up.slice(1).map((x) => -x), ...up]).sort()
}
