import { memoizeNodePrices, NodeLoads, type NodePrices, summarisePrices } from '../allocation/nodes.ts'
import {
  addRequestChange,
  addSpend,
  addUnitUsd,
  currentRequests,
  noSpend,
  type RequestOverrides,
} from '../allocation/spend.ts'
import type { NamespaceUsage } from '../cluster-usage/namespace-usage.ts'
import type { NodeLoadCache } from '../cluster-usage/node-load-cache.ts'
import {
  type NamespaceFacts,
  type PageEnd,
  readNamespaceFacts,
  readNamespaces,
} from '../cluster-usage/read-namespaces.ts'
import type { Clock } from '../domain/time.ts'
import type { SizeAdvisor } from '../rightsizing/advisor.ts'
import {
  constraintsFor,
  type SizeConstraints,
  type SizingRule,
} from '../rightsizing/constraints/sizing-rules.ts'
import type { SizingPreference } from '../rightsizing/workload.ts'
import { Yielder } from '../runtime/yielder.ts'
import type { UsageStore } from '../usage/port.ts'
import type { Uses } from '../usage/reading/containers.ts'
import type { HourlyUse } from '../usage/reading/hourly-use.ts'
import type { ContainerUse, HourRange } from '../usage/reading/pod-usage.ts'
import { type ContainerContent, NamespaceDraft, type SizedContainer } from './namespace-draft.ts'
import { HourlyUseBudget, limitToNodePrices, usesOf } from './overfull-nodes.ts'
import { sizeContainer } from './size-container.ts'

export interface SizesDeps {
  readonly store: { readonly usage: Pick<UsageStore, 'digests' | 'entities' | 'firstKey'> }
  readonly now: Clock
  readonly loads: NodeLoadCache
  /** Largest number of pods of a namespace in memory at a time; by default as many as fit in some megabytes. */
  readonly maxPods?: number
  /** Prices of an organisation's nodes, in one cluster or in all, as src/market/price-node.ts finds them. */
  nodePrices(organisation: string, cluster: string | undefined): Promise<NodePrices>
  /** advisorFor() with the caller's preference, or that of the organisation, and with the model trained on its usage. */
  advisor(organisation: string, preference: SizingPreference | undefined): Promise<SizeAdvisor>
  /** Sizing rules that the organisation has set, in order. */
  rules(organisation: string): Promise<readonly SizingRule[]>
}

export interface SizesQuery {
  readonly hours: HourRange
  readonly cluster: string | undefined
  readonly namespace: string | undefined
  /** Undefined means the preference of the organisation. */
  readonly preference: SizingPreference | undefined
  /** Override the rules of the organisation. */
  readonly constraints: SizeConstraints
  readonly explain: boolean
  /** Largest number of namespaces on a page. */
  readonly limit: number
  /** Largest number of containers on a page; undefined means all containers of its namespaces. */
  readonly containerLimit: number | undefined
  readonly after: PageEnd | undefined
}

/** All containers of all namespaces, by the preference and the rules of the organisation. */
export const everyNamespace: Omit<SizesQuery, 'hours'> = {
  cluster: undefined,
  namespace: undefined,
  preference: undefined,
  constraints: {},
  explain: false,
  limit: Number.POSITIVE_INFINITY,
  containerLimit: undefined,
  after: undefined,
}

interface SizingOptions {
  readonly hourlyUseBudget?: HourlyUseBudget
  /** Aborted when the response is no longer needed. */
  readonly signal?: AbortSignal
}

/**
 * Sizes every container of every namespace from what ran in a window, in order of cluster and then of namespace. The new
 * spend of a namespace assumes that it alone changes, so that it is the same in every list and on every page. Returns
 * where the page ended if there is more.
 */
export async function* sizeNamespaces<Content extends ContainerContent>(
  deps: SizesDeps,
  organisation: string,
  query: SizesQuery,
  newContent: (namespace: NamespaceUsage) => Content,
  { hourlyUseBudget = new HourlyUseBudget(), signal }: SizingOptions = {},
): AsyncGenerator<NamespaceDraft<Content>, PageEnd | undefined> {
  const { hours, cluster, explain, limit, containerLimit = Number.POSITIVE_INFINITY, constraints } = query
  if (hours.from >= hours.to) return undefined
  const [prices, advisor, rules, facts] = await Promise.all([
    deps.nodePrices(organisation, cluster).then(memoizeNodePrices),
    deps.advisor(organisation, query.preference),
    deps.rules(organisation),
    readNamespaceFacts(deps.store.usage, organisation, cluster, hours),
  ])
  const yielder = new Yielder(signal)
  const source = { store: deps.store, organisation, hours, yielder }
  let [namespaces, containers] = [0, 0]
  let last: PageEnd | undefined
  let isMore = false
  for await (const reading of readNamespaces(deps, organisation, query, yielder)) {
    if (namespaces >= limit || containers >= containerLimit) {
      isMore = true
      break
    }
    const draft = new NamespaceDraft(
      reading,
      facts.quotaOf(reading.cluster, reading.namespace),
      newContent(reading),
    )
    const changes = new NodeLoads()
    const context = { advisor, explain, prices, facts, changes, hourlyUseBudget, yielder, rules, constraints }
    await sizeNamespace(reading, context, draft)
    draft.newSpendIfAllChangeUsd = draft.newSpendUsd
    await limitToNodePrices(draft, source, { loads: reading.loads.loads, changes, prices })
    draft.prices = summarisePrices(prices, draft.cluster, draft.nodes)
    hourlyUseBudget.clear()
    draft.from = shownFrom(draft, query.after)
    draft.to = Math.min(draft.keys.length, draft.from + containerLimit - containers)
    namespaces++
    containers += draft.to - draft.from
    last = { cluster: draft.cluster, namespace: draft.namespace }
    const isCut = draft.to < draft.keys.length
    if (isCut) last = { ...last, container: draft.keys[draft.to - 1]! }
    // The namespace in which the page before ended may have lost its other containers since.
    if (draft.from < draft.to) yield draft
    if (isCut) {
      isMore = true
      break
    }
  }
  return isMore ? last : undefined
}

interface NamespaceSizing {
  readonly advisor: SizeAdvisor
  readonly explain: boolean
  readonly prices: NodePrices
  readonly facts: NamespaceFacts
  /** Changes that the recommendations of the namespace would make to the loads of the cluster's nodes. */
  readonly changes: NodeLoads
  readonly hourlyUseBudget: HourlyUseBudget
  readonly yielder: Yielder
  readonly rules: readonly SizingRule[]
  /** Constraints of the request, which override the rules. */
  readonly constraints: SizeConstraints
}

/** Sizes a namespace's containers into the draft. The new spend is calculated as if no node were overfull; see limitToNodePrices. */
async function sizeNamespace(
  reading: NamespaceUsage,
  sizing: NamespaceSizing,
  draft: NamespaceDraft<ContainerContent>,
): Promise<void> {
  const { cluster, namespace, loads, latestHour, endAt } = reading
  const { advisor, explain, prices, facts, changes, hourlyUseBudget, yielder } = sizing
  const rules = constraintsFor(sizing.rules, sizing.constraints, reading)
  if (!hourlyUseBudget.canHold(reading.pods * Math.ceil(reading.measuredHours))) draft.uses = undefined
  for await (const batch of reading.batches())
    for (const container of batch) {
      const { uses } = container
      const units = { cpu: 0, memory: 0 }
      await eachUse(uses, (pod) => {
        addUnitUsd(units, pod, prices)
        for (const { setting } of pod.use.settingRanges())
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
      const [currentSpend, newSpend] = [noSpend(), noSpend()]
      const asNow = currentRequestsOf(sized)
      let isAsNow = true
      await eachUse(uses, (pod) => {
        isAsNow &&= hadRequests(pod.use, asNow)
        addRequestChange(changes, [pod], sized.requests)
        addSpend(currentSpend, pod, currentRequests, prices, (node) => loads.loads.columnsOf(node))
        addSpend(newSpend, pod, sized.requests, prices, undefined)
        draft.content.see?.(pod.use)
      })
      const spendAtCurrentRequests = isAsNow ? currentSpend : noSpend()
      if (!isAsNow)
        await eachUse(uses, (pod) =>
          addSpend(spendAtCurrentRequests, pod, asNow, prices, (node) => loads.loads.columnsOf(node)),
        )
      draft.add({ ...sized, currentSpend, spendAtCurrentRequests, newSpend })
      const kept = typeof uses === 'function' ? undefined : usesOf(uses)
      if (draft.uses !== undefined && kept !== undefined && hourlyUseBudget.reserve(kept))
        draft.uses.set(container.key, kept)
      else draft.uses = undefined
      if (yielder.isDue) await yielder.pause()
    }
}

async function eachUse(uses: Uses, take: (pod: ContainerUse) => void): Promise<void> {
  // Uses in memory are not awaited, because waiting for each would take longer than adding it up.
  if (typeof uses !== 'function') for (const pod of uses) take(pod)
  else for await (const pod of uses()) take(pod)
}

const currentRequestsOf = ({ current }: SizedContainer): RequestOverrides => ({
  cpu: current.cpuRequest,
  memory: current.memoryRequest,
})

/** Whether a container had these requests all the time. */
const hadRequests = (use: HourlyUse, { cpu, memory }: RequestOverrides): boolean =>
  use
    .settingRanges()
    .every(
      ({ setting }) =>
        (cpu === undefined || setting.cpuRequestCores === cpu) &&
        (memory === undefined || setting.memoryRequestGib === memory),
    )

/** Index of the first container on the page, if the page before ended inside this namespace. */
function shownFrom(
  { cluster, namespace, keys }: NamespaceDraft<ContainerContent>,
  after: PageEnd | undefined,
): number {
  const container = after?.container
  if (container === undefined || after!.cluster !== cluster || after!.namespace !== namespace) return 0
  const index = keys.findIndex((key) => key > container)
  return index < 0 ? keys.length : index
}
