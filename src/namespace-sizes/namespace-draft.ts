import type { PriceSummary } from '../allocation/nodes.ts'
import type { RequestOverrides, Spend } from '../allocation/spend.ts'
import { type HardQuota, NamespaceTotals } from '../allocation/totals.ts'
import type { NamespaceRef } from '../domain/subject.ts'
import type { Explanations } from '../rightsizing/advisor.ts'
import type { ResolvedConstraints } from '../rightsizing/constraints/sizing-rules.ts'
import type { Band, MemoryFacts } from '../rightsizing/workload.ts'
import type { Distribution } from '../usage/distribution/distribution.ts'
import type { HourlyUse } from '../usage/reading/hourly-use.ts'
import type { ContainerSizes, PlacedUse } from '../usage/reading/pod-usage.ts'

/**
 * A namespace whose containers are sized, of which only the new spend may still change: it depends on what else changes on
 * the nodes. Of each container some numbers are held, and what the content makes of it.
 */
export class NamespaceDraft<Content extends ContainerContent> implements NamespaceRef {
  readonly cluster: string
  readonly namespace: string
  readonly hardQuota: HardQuota
  readonly measuredHours: number
  readonly content: Content
  readonly totals = new NamespaceTotals()
  /** New spend where no node is overfull, as when all namespaces change at once. */
  spendIfAllUsd = 0
  /** Nodes its pods ran on. */
  readonly nodes = new Set<string>()
  /** Where the prices of these nodes come from. */
  prices: PriceSummary = { sources: [], notes: [] }
  /** Keys of containers, in order. */
  readonly keys: string[] = []
  /** Usage by node, unless the cache was full. */
  uses: Map<string, readonly PlacedUse[]> | undefined = new Map()
  /** NaN where a request stays as it is. */
  readonly #cpuRequests: number[] = []
  readonly #memoryRequests: number[] = []
  readonly #cpuUsd: number[] = []
  readonly #memoryUsd: number[] = []
  /** The range [from, to) of containers on the requested page. */
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
    this.#cpuUsd.push(container.spendThen.cpuUsd)
    this.#memoryUsd.push(container.spendThen.memoryUsd)
  }

  requestsAt(index: number): RequestOverrides {
    const [cpu, memory] = [this.#cpuRequests[index]!, this.#memoryRequests[index]!]
    return {
      cpu: Number.isNaN(cpu) ? undefined : cpu,
      memory: Number.isNaN(memory) ? undefined : memory,
    }
  }

  /** What the container costs with the recommended requests. */
  spendThenAt(index: number): Spend {
    return { cpuUsd: this.#cpuUsd[index]!, memoryUsd: this.#memoryUsd[index]! }
  }

  setSpendThen(index: number, { cpuUsd, memoryUsd }: Spend): void {
    this.#cpuUsd[index] = cpuUsd
    this.#memoryUsd[index] = memoryUsd
  }

  get spendThenUsd(): number {
    let sum = 0
    for (let index = 0; index < this.keys.length; index++)
      sum += this.#cpuUsd[index]! + this.#memoryUsd[index]!
    return sum
  }
}

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
