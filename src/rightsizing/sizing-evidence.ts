import type { FlatTop } from './memory/flat-top.ts'
import type { ModelRisks } from './model/predict.ts'
import type { MemoryFacts, RequestsAndLimits, SizingPreference } from './workload.ts'

/**
 * Everything that a size is decided from, except what may be different each time it is read: the preference, the rules and
 * the prices. All numbers are finite and members that are not known are absent, so it is the same after JSON.
 */
export interface SizingEvidence {
  /** Hours since 1970 at which the usage ends. */
  readonly hour: number
  /** Version of the organisation's model; absent if only the built-in model was used. */
  readonly modelVersion?: string
  /** The risks of the model's levels, which all evidence of one version shares. */
  readonly risks?: ModelRisks
  /** Whether the organisation's own model was used. */
  readonly isTrained: boolean
  /** Hours in which it was seen, and days since the first of them. */
  readonly seenHours: number
  readonly daysSinceFirst: number
  /** Seconds of CPU samples; present only if there are too few hours for a recommendation. */
  readonly sampledSeconds?: number
  readonly job?: boolean
  readonly init?: boolean
  readonly intermittent?: boolean
  /** Restarts in the last 14 days that were not OOM kills, if there were several. */
  readonly restarts?: number
  /** The preference with a shortfall that `preferred` sizes were computed for. */
  readonly preferred?: SizingPreference
  /** The largest requests and limits in force in the last seven days. */
  readonly largest?: RequestsAndLimits
  /** Those in force before the current ones, where they changed in the last seven days. */
  readonly replaced?: RequestsAndLimits
  /** Whether the levels are still on their way from an earlier model's to this one's. */
  readonly modelMoves?: boolean
  readonly cpu?: CpuEvidence
  readonly memory?: MemoryEvidence
}

/** Cores or GiB. */
export interface ResourceEvidence {
  readonly together: ReplicaEvidence
  /** A replica that is always busier than the others, if there is one. */
  readonly busiest?: ReplicaEvidence
  /** Days with samples, and hours from the first sample to the last. */
  readonly age: number
  readonly reachHours: number
  /** Unweighted figures of the last 14 days. */
  readonly mean: number
  readonly p50: number
  readonly p95: number
  readonly p99: number
  readonly p995: number
  readonly p999: number
  readonly peak14: number
  /** Highest usage in the whole history as it was measured: with starts and page cache, without estimates. */
  readonly peakSeen: number
  /** Growth of the last two days over the days before, if it is notable: 0.2 means a fifth more. */
  readonly growth?: number
  /** Whether the last two days were like the same days of the week before. */
  readonly repeats?: true
  /** Usage that an autoscaler compares with the request. */
  readonly scaled: number
}

/** What the forecast of one replica, or of all together, asks for. */
export interface ReplicaEvidence {
  /** The request at each risk level, loosest first, before it is limited to a multiple of the highest usage. */
  readonly levels: readonly number[]
  readonly peakEver: number
  /** The result of each public policy, in the order of their list; null without enough data. */
  readonly policies: readonly (number | null)[]
  /**
   * Requests for the preferred shortfall, two levels looser to two levels stricter. They cannot be read from `levels`,
   * because each combination of risk and shortfall compares the costs of all sizes again.
   */
  readonly preferred?: readonly number[]
}

export interface CpuEvidence extends ResourceEvidence {
  /** Peak that occurs only when the container starts. */
  readonly startPeak?: number
  /** Share of the periods of the CPU limit that were throttled, and minutes a day summed over CPUs. */
  readonly throttledShare?: number
  readonly throttledMinutes?: number
  /** The same share since the limit in force was set, if that is known. */
  readonly throttledSinceRaise?: number
  /** The quantile of all usage by which `limits=quantile` sets a limit. */
  readonly limitQuantile?: number
}

export interface MemoryEvidence extends ResourceEvidence {
  readonly kills?: OomKills
  readonly leak?: MemoryLeak
  readonly cache?: PageCache
  readonly flatTop?: FlatTop
  readonly facts?: MemoryFacts
}

/** Out-of-memory kills in the last 14 days. */
export interface OomKills {
  readonly count: number
  /** Kills since the limit in force was set, if that is known. */
  readonly sinceRaise?: number
  /** Highest usage in the hours or days with kills. */
  readonly peak: number
  readonly hoursSince: number
}

/** Memory whose daily low and high both rose day after day. */
export interface MemoryLeak {
  readonly days: number
  readonly gibPerDay: number
}

export interface PageCache {
  /** Page cache that the kernel would reclaim before it kills a process. */
  readonly gib: number
  readonly ofGib: number
  /** How much of it counts as needed: all if it may be shared memory, which cannot be reclaimed, and all after an OOM kill. */
  readonly counts: 'half' | 'all after a kill' | 'all if shared'
}
