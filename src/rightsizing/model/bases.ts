import type { Resource } from '../input.ts'
import type { SeriesFeatures } from './features.ts'

/** What a request is a multiple of. Percentiles are of time with a half-life of three days; the peak is of fourteen days. */
export const bases = {
  p95: { resource: 'cpu', size: 's95', says: '95th percentile of time, recent days counting more' },
  p99: { resource: 'cpu', size: 's99', says: '99th percentile of time, recent days counting more' },
  p995: { resource: 'cpu', size: 's995', says: '99.5th percentile of time, recent days counting more' },
  peak: { resource: 'memory', size: 'peak14', says: 'highest of the last 14 days' },
} as const satisfies Record<string, { resource: Resource; size: string; says: string }>
export type BaseName = keyof typeof bases
export const baseNames = Object.keys(bases) as BaseName[]
export const basesOf = (resource: Resource): readonly BaseName[] => ofResource.get(resource)!
const ofResource: ReadonlyMap<Resource, readonly BaseName[]> = Map.groupBy(
  baseNames,
  (name): Resource => bases[name].resource,
)

/** No request is smaller: cores, GiB (100 MB). */
export const floors = { cpu: 0.01, memory: 100e6 / 2 ** 30 } as const satisfies Record<Resource, number>

export function baseOf(knowledge: SeriesFeatures, name: BaseName): number {
  const { resource, size } = bases[name]
  return Math.max(knowledge.sizes[size] ?? 0, floors[resource] / 2)
}

const leastRatio = 1e-3

/** Sizes as logarithms of their ratio to the base, shapes as they are, and last how large the series is. */
export function featuresOf({ sizes, shapes }: SeriesFeatures, base: number): Float32Array {
  const [ofSize, ofShape] = [Object.values(sizes), Object.values(shapes)]
  const features = new Float32Array(ofSize.length + ofShape.length + 1)
  for (let index = 0; index < ofSize.length; index++)
    features[index] = Math.log(Math.max(ofSize[index]! / base, leastRatio))
  features.set(ofShape, ofSize.length)
  features[features.length - 1] = Math.log(base)
  return features
}

export const featureNames = (knowledge: SeriesFeatures): string[] => [
  ...Object.keys(knowledge.sizes),
  ...Object.keys(knowledge.shapes),
  'size',
]
