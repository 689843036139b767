import type { UsageSpan } from './input.ts'
import type { ProfileName } from './ladder.ts'

/** One container of a workload, or one process: everything its size is judged by. Cores and GiB. */
export interface Workload {
  /** Of all replicas together, since one size is set for all of them. */
  readonly spans: readonly UsageSpan[]
  /** Of one replica that is busier than the others all the time, where there is one: it would drown in theirs. */
  readonly busiest?: readonly UsageSpan[]
  /** 1 where it says nothing. */
  readonly replicas?: number
  readonly current?: Sizes
  /** Target utilisation, 0 to 1, where an autoscaler adds replicas by it. */
  readonly autoscaler?: { readonly cpuTarget?: number; readonly memoryTarget?: number }
  /** It runs now and then and ends by itself. */
  readonly job?: boolean
  readonly init?: boolean
}

export interface Sizes {
  readonly cpuRequest?: number
  readonly cpuLimit?: number
  readonly memoryRequest?: number
  readonly memoryLimit?: number
}

export interface Wish {
  readonly profile?: ProfileName
  /** Share of time (CPU) and of days (memory) above the request that is accepted, over all series; instead of a profile. */
  readonly risk?: number
  /** 'cheapside', or the name of a public policy. */
  readonly policy?: string
}

export interface Prices {
  readonly corePerHourUsd: number
  readonly gibPerHourUsd: number
}

export interface ResourceRecommendation {
  readonly current: number | null
  readonly target: number
  readonly lower: number
  readonly upper: number
  readonly limit: number | null
  /** False: the difference to what is set now is too small to be worth anybody's time. */
  readonly worthChanging: boolean
  readonly reasons: readonly string[]
}

export interface Recommendation {
  readonly cpu: ResourceRecommendation | null
  readonly memory: ResourceRecommendation | null
  /** 0 to 1. */
  readonly confidence: number
  readonly days: number
  readonly reasons: readonly string[]
}
