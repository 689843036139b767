export const recommendationKinds = ['container', 'machine', 'idle', 'cluster', 'volume'] as const
export type RecommendationKind = (typeof recommendationKinds)[number]

/** Grades of risk and of effort. */
export const recommendationGrades = ['low', 'medium', 'high'] as const
export type RecommendationGrade = (typeof recommendationGrades)[number]

/** What was seen in the usage of a container and needs attention. */
export const recommendationFindings = [
  'crash-loop',
  'oom-kills',
  'throttled',
  'leak',
  'no-requests',
  'no-memory-limit',
] as const
export type RecommendationFinding = (typeof recommendationFindings)[number]

/** Machines and clusters that were measured for a shorter time get none: less than a day misses what runs at night. */
export const minMeasuredHours = 24

/**
 * Returns the memory of a machine whose processes need `gib`, in GiB, with a reserve for the kernel, its caches and the
 * page cache: 5%, at least 0.25 GiB. The reserve never makes a replacement larger than the machine, which has `maxGib`.
 */
export function withSystemMemory(gib: number, maxGib: number): number {
  const reserved = gib + Math.max(minReservedGib, reservedShare * gib)
  return Math.max(gib, Math.min(reserved, maxGib))
}

const reservedShare = 0.05
const minReservedGib = 0.25

/**
 * The confidence in recommendations on a machine, a cluster or an idle workload, from the days of its usage. It is that of
 * right-sizing without gaps and without a trained model: one day 0.23, a week 0.59, a month 0.74.
 */
export const confidenceOfDays = (days: number): number => (days / (days + 2.5)) * 0.8

/** A container gets a recommended size once so many hours of its usage are known. */
export const minSizedHours = 6

/** A workload or machine is listed for removal once it was idle for so many days, unless a caller asks for others. */
export const defaultIdleDays = 7

/** The fastest is recommended of all machines that cost at most this times as much as the cheapest one. */
export const similarPriceRatio = 1.01

/** States that somebody can set. `applied` is not among them, because it is recognised, not set. */
export const decidableStates = ['open', 'accepted', 'dismissed', 'snoozed'] as const
export type DecidableState = (typeof decidableStates)[number]
export const recommendationStates = [...decidableStates, 'applied'] as const
export type RecommendationState = (typeof recommendationStates)[number]

/** Days of usage that recommendations are made from. */
export const recommendationDays = 14

/** Recommendations on a page, and how many can be decided on at once. */
export const defaultRecommendationLimit = 100
export const maxDecided = 1000

/** The maximum number of values that are listed for a facet. */
export const maxFacetValues = 100
