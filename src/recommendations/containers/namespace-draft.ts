import type { PriceSummary } from '../../costs/allocation/nodes.ts'
import type { RequestOverrides, Spend } from '../../costs/allocation/spend.ts'
import { type HardQuota, NamespaceTotals } from '../../costs/allocation/totals.ts'
import type { NamespaceRef } from '../../domain/subject.ts'
import type { Explanations } from '../../rightsizing/advisor.ts'
import type { ResolvedConstraints } from '../../rightsizing/constraints/sizing-rules.ts'
import type { Resource } from '../../rightsizing/input.ts'
import type { Band, MemoryFacts, ReasonCode, ResourcePrices } from '../../rightsizing/workload.ts'
import type { Distribution } from '../../usage/distribution/distribution.ts'
import type { HourlyUse } from '../../usage/reading/hourly-use.ts'
import type { ContainerSizes, ContainerUse } from '../../usage/reading/pod-usage.ts'

/**
 * A namespace whose containers are sized. Only its new spend may still change, because it depends on what else changes on
 * the nodes. For each container the draft keeps some numbers; the content keeps the rest in its own form.
 */
export class NamespaceDraft<Content extends ContainerContent> implements NamespaceRef {
  readonly cluster: string
  readonly namespace: string
  readonly hardQuota: HardQuota
  readonly measuredHours: number
  readonly content: Content
  readonly totals = new NamespaceTotals()
  /** New spend if no node is overfull, as is assumed if all namespaces change at once. */
  newSpendIfAllChangeUsd = 0
  readonly nodes = new Set<string>()
  prices: PriceSummary = { sources: [], notes: [] }
  readonly keys: string[] = []
  /** Uses of pods by key of the container; undefined if they are too many to keep. */
  uses: Map<string, readonly ContainerUse[]> | undefined = new Map()
  /** New requests by container; NaN if a request stays as it is. */
  readonly #cpuRequests: number[] = []
  readonly #memoryRequests: number[] = []
  readonly #cpuUsd: number[] = []
  readonly #memoryUsd: number[] = []
  readonly #gpuUsd: number[] = []
  from = 0
  to = Number.POSITIVE_INFINITY

  constructor(
    { cluster, namespace, measuredHours }: NamespaceRef & { readonly measuredHours: number },
    hardQuota: HardQuota,
    content: Content,
  ) {
    this.cluster = cluster
    this.namespace = namespace
    this.hardQuota = hardQuota
    this.measuredHours = measuredHours
    this.content = content
  }

  add(container: PricedContainer): void {
    this.totals.addPriced(container)
    this.content.add(container)
    this.keys.push(container.key)
    this.#cpuRequests.push(container.requests.cpu ?? Number.NaN)
    this.#memoryRequests.push(container.requests.memory ?? Number.NaN)
    this.#cpuUsd.push(container.newSpend.cpuUsd)
    this.#memoryUsd.push(container.newSpend.memoryUsd)
    this.#gpuUsd.push(container.newSpend.gpuUsd)
  }

  requestsAt(index: number): RequestOverrides {
    const [cpu, memory] = [this.#cpuRequests[index]!, this.#memoryRequests[index]!]
    return {
      cpu: Number.isNaN(cpu) ? undefined : cpu,
      memory: Number.isNaN(memory) ? undefined : memory,
    }
  }

  newSpendAt(index: number): Spend {
    return {
      cpuUsd: this.#cpuUsd[index]!,
      memoryUsd: this.#memoryUsd[index]!,
      gpuUsd: this.#gpuUsd[index]!,
    }
  }

  setNewSpend(index: number, { cpuUsd, memoryUsd, gpuUsd }: Spend): void {
    this.#cpuUsd[index] = cpuUsd
    this.#memoryUsd[index] = memoryUsd
    this.#gpuUsd[index] = gpuUsd
  }

  get newSpendUsd(): number {
    let sum = 0
    for (let index = 0; index < this.keys.length; index++)
      sum += this.#cpuUsd[index]! + this.#memoryUsd[index]! + this.#gpuUsd[index]!
    return sum
  }
}

export interface SizedContainer {
  /** Kind/workload/container */
  readonly key: string
  /** Kind/workload */
  readonly workload: string
  readonly name: string
  readonly init: boolean
  /** Whether it runs as long as the pod does. All containers do, except init containers that end. */
  readonly isLongRunning: boolean
  readonly current: ContainerSizes
  readonly recommended: ContainerSizes
  readonly lower: ContainerSizes
  readonly upper: ContainerSizes
  /** Recommended requests; undefined if a request stays as it is. */
  readonly requests: RequestOverrides
  readonly cpu: Distribution
  readonly memory: Distribution
  readonly replicas: Replicas
  readonly oomKills: number
  readonly restarts: number
  readonly throttledShare: number
  readonly leaks: boolean
  /** 0 to 1. */
  readonly confidence: number
  readonly reasons: readonly string[]
  readonly codes: readonly ReasonCode[]
  readonly advised: { readonly cpu: Band | null; readonly memory: Band | null }
  readonly memoryFacts: MemoryFacts
  readonly rules: ResolvedConstraints
  /** Who sets its size instead of its workload, by a rule of the organisation. */
  readonly managedBy?: string | undefined
  readonly explanation: Explanations | undefined
  /** Hours that all its pods ran together. */
  readonly podHours: number
  /** Hours from its first sample to the last sample of the cluster. */
  readonly hoursSinceFirst: number
  /** Whether it was probably deleted: it is silent for longer than ever before. Never true of a job. */
  readonly isGone: boolean
  /** Whether its requests and limits are unknown because kube-state-metrics is missing. */
  readonly hasUnknownRequests: boolean
  /** What a core and a GiB of it cost, as a mean over its pods. */
  readonly prices: ResourcePrices
  /** Resources by whose utilisation an autoscaler sets the number of replicas. */
  readonly autoscaledBy: readonly Resource[]
}

export interface Replicas {
  readonly atEnd: number
  readonly highest: number
  /** Maximum replicas of the autoscaler; undefined without one. */
  readonly most: number | undefined
}

export interface PricedContainer extends SizedContainer {
  readonly currentSpend: Spend
  /** The same if the requests had been what they are now for the whole window. */
  readonly spendAtCurrentRequests: Spend
  readonly newSpend: Spend
}

/** Receives containers once they are sized and makes lines of a response or a list of them. */
export interface ContainerContent {
  add(container: PricedContainer): void
  /** Receives the usage of the next container pod by pod, before the container is added. */
  see?(use: HourlyUse): void
}
