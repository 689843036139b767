import type { UsageSpan } from '../../rightsizing/input.ts'
import type { Sizes } from './pod-usage.ts'

/** What is known of a container when its size is asked for. */
export interface ContainerHistory {
  /** Deployment, CronJob, ... */
  readonly kind: string
  readonly init: boolean
  /** Of all its pods together, oldest first. */
  readonly spans: readonly UsageSpan[]
  /** Of one pod that works far harder than the others, where there is one. */
  readonly busiest: readonly UsageSpan[] | undefined
  /** The hour at which it is asked, since 1970. */
  readonly atHour: number
  readonly now: Sizes
  /** Percent of the request at which an autoscaler adds pods; undefined where none looks at it. */
  readonly scaledAt: { readonly cpu: number | undefined; readonly memory: number | undefined }
}

/** Cores or GiB. */
export interface Band {
  readonly target: number
  readonly lower: number
  readonly upper: number
}

export interface Advice {
  /** Null where it cannot be told; the reasons say why. */
  readonly cpu: Band | null
  readonly memory: Band | null
  /** 0 to 1. */
  readonly confidence: number
  /** In plain words. */
  readonly reasons: readonly string[]
  /** What each estimator said and which one decided. */
  readonly explanation: { readonly cpu: unknown; readonly memory: unknown }
}

/** How big a container should be. */
export type Advisor = (history: ContainerHistory) => Advice
