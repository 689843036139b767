import type { RequestOverrides, Spend } from '../../allocation/spend.ts'
import type { Explanations } from '../../rightsizing/advisor.ts'
import type { ResolvedConstraints } from '../../rightsizing/constraints/sizing-rules.ts'
import type { Band, MemoryFacts } from '../../rightsizing/workload.ts'
import type { Distribution } from '../../usage/distribution/distribution.ts'
import type { HourlyUse } from '../../usage/reading/hourly-use.ts'
import type { ContainerSizes } from '../../usage/reading/pod-usage.ts'

/** What is recommended for a container of a workload, and what it rests on. */
export interface SizedContainer {
  /** Kind/workload/container */
  readonly key: string
  /** Kind/workload */
  readonly workload: string
  readonly name: string
  readonly init: boolean
  /** It runs as long as the pod does, as all containers do except init containers that end. */
  readonly runsAlong: boolean
  readonly now: ContainerSizes
  readonly recommended: ContainerSizes
  readonly lower: ContainerSizes
  readonly upper: ContainerSizes
  /** What the recommendation asks for where it differs from now; undefined: as it is. */
  readonly requests: RequestOverrides
  readonly cpu: Distribution
  readonly memory: Distribution
  readonly replicas: Replicas
  readonly oomKills: number
  readonly restarts: number
  /** Share of the CPU quota's periods in which it was held back. */
  readonly throttledShare: number
  /** Its memory grows day by day. */
  readonly leaks: boolean
  /** 0 to 1. */
  readonly confidence: number
  readonly reasons: readonly string[]
  readonly advised: { readonly cpu: Band | null; readonly memory: Band | null }
  readonly memoryFacts: MemoryFacts
  readonly rules: ResolvedConstraints
  /** Undefined unless requested. */
  readonly explanation: Explanations | undefined
  /** Hours of all its pods together. */
  readonly podHours: number
}

export interface Replicas {
  /** At the end of the window. */
  readonly atEnd: number
  readonly highest: number
  /** Maximum replicas of the autoscaler; undefined without one. */
  readonly most: number | undefined
}

export interface PricedContainer extends SizedContainer {
  readonly spendNow: Spend
  readonly spendThen: Spend
}

/** What becomes of containers once they are sized: lines of an answer, or a list. */
export interface ContainerContent {
  add(container: PricedContainer): void
  /** What the next container used, before it is added, pod by pod. */
  see?(use: HourlyUse): void
}
