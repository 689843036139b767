import type { NodeLoads, NodePrices, PriceSummary } from '../../allocation/nodes.ts'
import {
  addRequestChange,
  addSpend,
  addUnitUsd,
  currentRequests,
  type RequestOverrides,
  type Spend,
} from '../../allocation/spend.ts'
import { type HardQuota, NamespaceTotals } from '../../allocation/totals.ts'
import type { NamespaceUsage } from '../../cluster-usage/namespace-usage.ts'
import type { NamespaceFacts } from '../../cluster-usage/read-namespaces.ts'
import type { NamespaceRef } from '../../domain/subject.ts'
import type { SizeAdvisor } from '../../rightsizing/advisor.ts'
import {
  constraintsFor,
  type SizeConstraints,
  type SizingRule,
} from '../../rightsizing/constraints/sizing-rules.ts'
import type { Yielder } from '../../runtime/yielder.ts'
import type { Uses } from '../../usage/reading/containers.ts'
import type { PlacedUse } from '../../usage/reading/pod-usage.ts'
import { sizeContainer } from './size-container.ts'
import type { ContainerContent, PricedContainer } from './sized-container.ts'

interface NamespaceSizing {
  readonly advisor: SizeAdvisor
  readonly explain: boolean
  readonly prices: NodePrices
  readonly facts: NamespaceFacts
  /** What the recommendations of the namespace would change on the nodes of the cluster. */
  readonly changes: NodeLoads
  readonly kept: HourlyUseCache
  readonly yielder: Yielder
  readonly rules: readonly SizingRule[]
  /** Constraints of the request, which go over the rules. */
  readonly constraints: SizeConstraints
}

/** Sizes a namespace's containers into the draft. The new spend is calculated as if no node were overfull; see spendWithinNodes. */
export async function sizeNamespace(
  reading: NamespaceUsage,
  sizing: NamespaceSizing,
  draft: NamespaceDraft<ContainerContent>,
): Promise<void> {
  const { cluster, namespace, loads, latestHour, endAt } = reading
  const { advisor, explain, prices, facts, changes, kept, yielder } = sizing
  const rules = constraintsFor(sizing.rules, sizing.constraints, reading)
  if (!kept.canHold(reading.pods * reading.measuredHours)) draft.uses = undefined
  for await (const batch of reading.batches())
    for (const container of batch) {
      const { uses } = container
      const units = { cpu: 0, memory: 0 }
      await eachPlace(uses, (place) => {
        addUnitUsd(units, place, prices)
        for (const { setting } of place.use.steps())
          if (setting.node !== undefined) draft.nodes.add(setting.node)
      })
      const sized = sizeContainer(container, advisor, {
        latestHour,
        endAt,
        autoscaler: facts.autoscalerOf(cluster, namespace, container.workload),
        unitUsd: units,
        explain,
        rules,
      })
      const [spendNow, spendThen] = [noSpend(), noSpend()]
      await eachPlace(uses, (place) => {
        addRequestChange(changes, [place], sized.requests)
        addSpend(spendNow, place, currentRequests, prices, (node) => loads.loads.of(node))
        addSpend(spendThen, place, sized.requests, prices, undefined)
        draft.content.see?.(place.use)
      })
      draft.add({ ...sized, spendNow, spendThen })
      const places = typeof uses === 'function' ? undefined : placesOf(uses)
      if (draft.uses !== undefined && places !== undefined && kept.takes(places))
        draft.uses.set(container.key, places)
      else draft.uses = undefined
      if (yielder.isDue) await yielder.pause()
    }
}

async function eachPlace(uses: Uses, take: (place: PlacedUse) => void): Promise<void> {
  // Waiting for each place of those that are held would take longer than adding it up.
  if (typeof uses !== 'function') for (const place of uses) take(place)
  else for await (const place of uses()) take(place)
}
const noSpend = () => ({ cpuUsd: 0, memoryUsd: 0 })

/** Where the pods of a container ran, without all else that is known of them. */
export const placesOf = (pods: readonly PlacedUse[]): readonly PlacedUse[] =>
  pods.map(({ subject, use }) => ({ subject: { cluster: subject.cluster }, use }))

/** 16 MB: a month of 1,400 containers. */
const mostHours = 1_000_000

/** Limits the hours of a namespace that are cached, so that they are not read again if a node turns out to be overfull. */
export class HourlyUseCache {
  readonly #mostHours: number
  #hours = 0

  constructor(most = mostHours) {
    this.#mostHours = most
  }

  /** Hours that do not fit all are not worth caching in part, since one that is missing means to read all again. */
  canHold(hours: number): boolean {
    return hours <= this.#mostHours
  }

  /** False if the cache is full. */
  takes(uses: readonly PlacedUse[]): boolean {
    if (this.#hours >= this.#mostHours) return false
    for (const { use } of uses) this.#hours += use.length
    return true
  }

  /** Before the next namespace. */
  clear(): void {
    this.#hours = 0
  }
}

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
