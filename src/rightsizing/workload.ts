import type { UsageSpan } from './input.ts'
import type { ProfileName } from './risk/levels.ts'

/** One container of a workload, or one process, with everything that its size depends on. Cores and GiB. */
export interface Workload {
  /** Usage of all replicas together, because they share one size. */
  readonly spans: readonly UsageSpan[]
  /** Usage of a replica that is always busier than the others, if there is one; merged with the others it would not be visible. */
  readonly busiest?: readonly UsageSpan[]
  /**
   * Number of hours in which it was seen, and hours from its first sample to its last. Merged days do not show these,
   * because they begin at midnight.
   */
  readonly seenHours?: number
  readonly reachHours?: number
  /** Seconds from its first sample to its last. */
  readonly reachSeconds?: number
  /** Mean number of replicas running at a time; 1 by default. */
  readonly replicas?: number
  readonly current?: RequestsAndLimits
  /** The largest requests and limits in force in the last seven days; the current ones by default. */
  readonly largest?: RequestsAndLimits
  /** Those in force before the current ones, where they changed in the last seven days. */
  readonly replaced?: RequestsAndLimits
  /**
   * Hours since 1970 since which no smaller limit (request, where there is none) was in force. Kills and throttling before that
   * say nothing about the one in force.
   */
  readonly limitsSince?: { readonly cpuHour?: number | undefined; readonly memoryHour?: number | undefined }
  /** Target utilisation of an autoscaler as a share of the request. */
  readonly autoscaler?: {
    readonly cpuTarget?: number | undefined
    readonly memoryTarget?: number | undefined
  }
  /** It runs from time to time and ends on its own. */
  readonly job?: boolean
  readonly init?: boolean
  readonly memoryFacts?: MemoryFacts
}

/** What the memory consists of, in GiB; undefined if not known. */
export interface MemoryFacts {
  /** Highest resident (anonymous) memory. */
  readonly rssGib?: number | undefined
  /** Lowest page cache: the amount that was always there. */
  readonly cacheGib?: number | undefined
  /** Highest mapped page cache, which may be shared memory. */
  readonly mappedGib?: number | undefined
  /** Use of a Java heap after collections, its limit, and the highest use outside it. */
  readonly heapLowGib?: number | undefined
  readonly heapLimitGib?: number | undefined
  readonly nonHeapGib?: number | undefined
  /** The kernel's own high-water mark, page cache included. */
  readonly kernelPeakGib?: number | undefined
}

export interface RequestsAndLimits {
  readonly cpuRequest?: number | undefined
  readonly cpuLimit?: number | undefined
  readonly memoryRequest?: number | undefined
  readonly memoryLimit?: number | undefined
}

export interface SizingPreference {
  readonly profile?: ProfileName
  /** Share of time (CPU) and of days (memory) above the request that is accepted, over all series; instead of a profile. */
  readonly risk?: number
  /**
   * Share of all CPU usage that may lie above the requests. The risk limits how often usage is above, the shortfall how
   * far; if absent, both are as strict as the risk or the profile.
   */
  readonly shortfall?: number
  /** 'cheapside', or the name of a public policy. */
  readonly policy?: string
}

export interface ResourcePrices {
  readonly corePerHourUsd: number
  readonly gibPerHourUsd: number
}

/** Cores or GiB. */
export interface Band {
  readonly target: number
  readonly lower: number
  readonly upper: number
}

export interface ResourceRecommendation extends Band {
  readonly current: number | null
  /** Null if no limit is set: adding one could only throttle or kill. */
  readonly limit: number | null
  /** The limit should change even if the request stays as it is. */
  readonly changesLimit: boolean
  /** False if the difference to the current setting is too small to be worth a change. */
  readonly worthChanging: boolean
  /** The steps that led to the target, in order. */
  readonly steps: readonly RecommendationStep[]
}

export interface RecommendationStep {
  /** Name of a profile, 'risk', a public policy, or an adjustment. */
  readonly by: string
  /** Explanation in plain words. */
  readonly says: string
  /** The target after this step; null if there was none yet. */
  readonly value: number | null
  readonly figures?: Figures
}

/** The figures of a reason by name, in cores, GiB, shares, hours or days. */
export type Figures = Readonly<Record<string, number>>

/** A reason for programs. */
export interface ReasonCode {
  readonly code: string
  /** Null if it is about both. */
  readonly resource: 'cpu' | 'memory' | null
  readonly figures: Figures
}

export interface SizeRecommendation {
  readonly cpu: ResourceRecommendation | null
  readonly memory: ResourceRecommendation | null
  /** 0 to 1. */
  readonly confidence: number
  readonly days: number
  readonly reasons: readonly string[]
  /** What the reasons say. */
  readonly codes: readonly ReasonCode[]
}
