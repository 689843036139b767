export const adviceKinds = ['container', 'machine', 'idle', 'cluster'] as const
export type AdviceKind = (typeof adviceKinds)[number]

/** Grades of risk and of effort. */
export const adviceGrades = ['low', 'medium', 'high'] as const
export type AdviceGrade = (typeof adviceGrades)[number]

/** What was seen in the usage of a container and needs attention. */
export const adviceFindings = ['oom-kills', 'throttled', 'leak'] as const
export type AdviceFinding = (typeof adviceFindings)[number]

/** Machines and clusters that were measured for a shorter time get no advice: less than a day misses what runs at night. */
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
 * The confidence in advice on a machine, a cluster or an idle workload, from the days of its usage. It is that of
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
export const adviceStates = [...decidableStates, 'applied'] as const
export type AdviceState = (typeof adviceStates)[number]

/**
 * What is recommended for one container, machine, workload or cluster. Money is in US dollars. A member is null if it
 * does not apply or is unknown.
 */
export interface Advice {
  /** Stays the same as long as the subject keeps its names. */
  readonly id: string
  readonly kind: AdviceKind
  readonly title: string
  readonly cluster: string | null
  readonly namespace: string | null
  /** Kind/name */
  readonly workload: string | null
  readonly container: string | null
  /** Whether it is an init container. */
  readonly init: boolean
  readonly machine: string | null
  /** Savings per month; negative if more is needed. */
  readonly worth_per_month: number
  readonly cost_per_month: number | null
  readonly risk: AdviceGrade
  readonly effort: AdviceGrade
  /** 0 to 1. */
  readonly confidence: number
  readonly replicas: number | null
  readonly current: AdvisedSize
  /** null if the subject is not needed at all. */
  readonly recommended: AdvisedSize | null
  readonly idle_days: number | null
  readonly findings: readonly AdviceFinding[]
  readonly reasons: readonly string[]
  readonly price_sources: readonly string[]
  /** The oldest day of the prices, YYYY-MM-DD. */
  readonly price_date: string | null
  /** Whether some of it is priced at base rates. */
  readonly is_estimate: boolean
}

/** Requests and limits of a container, the size and the type of a machine, or those of all nodes of a cluster together. */
export interface AdvisedSize {
  readonly cpu_cores: number | null
  readonly cpu_limit_cores: number | null
  readonly memory_gib: number | null
  readonly memory_limit_gib: number | null
  readonly provider: string | null
  readonly region: string | null
  readonly instance_type: string | null
  /** Number of nodes; only for a cluster. */
  readonly nodes?: number
}

export const noSize: AdvisedSize = {
  cpu_cores: null,
  cpu_limit_cores: null,
  memory_gib: null,
  memory_limit_gib: null,
  provider: null,
  region: null,
  instance_type: null,
}

/** The maximum number of values that are listed for a facet. */
export const maxFacetValues = 100
