import { memoizeNodePrices, NodeLoads, type NodePrices, summarisePrices } from '../allocation/nodes.ts'
import { addRequestChange, addSpend, addUnitUsd, currentRequests } from '../allocation/spend.ts'
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
import type { HourRange, PlacedUse } from '../usage/reading/pod-usage.ts'
import { type ContainerContent, NamespaceDraft } from './namespace-draft.ts'
import { HourlyUseCache, limitToNodePrices, placesOf } from './overfull-nodes.ts'
import { sizeContainer } from './size-container.ts'

/** What sizing needs. */
export interface SizesDeps {
  readonly store: { readonly usage: Pick<UsageStore, 'digests' | 'entities' | 'firstKey'> }
  readonly now: Clock
  readonly loads: NodeLoadCache
  /** How many pods of a namespace are held at once; unless given, as many as fit in some megabytes. */
  readonly mostPods?: number
  /** Prices of an organisation's nodes, in one cluster or in all, as src/market/price-node.ts finds them. */
  nodePrices(organisation: string, cluster: string | undefined): Promise<NodePrices>
  /** advisorFor() with the caller's preference, or that of the organisation, and with the model learnt from its usage. */
  advisor(organisation: string, preference: SizingPreference | undefined): Promise<SizeAdvisor>
  /** Sizing rules that the organisation has set, in order. */
  rules(organisation: string): Promise<readonly SizingRule[]>
}

export interface SizesQuery {
  readonly hours: HourRange
  readonly cluster: string | undefined
  readonly namespace: string | undefined
  /** Undefined for the preference of the organisation. */
  readonly preference: SizingPreference | undefined
  /** Go over the rules of the organisation. */
  readonly constraints: SizeConstraints
  readonly explain: boolean
  /** Namespaces a page. */
  readonly limit: number
  /** Containers a page; undefined: all of its namespaces. */
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
  readonly kept?: HourlyUseCache
  /** Aborted when the response is no longer needed. */
  readonly signal?: AbortSignal
}

/**
 * From what ran in a window to what every container of every namespace should ask for, in order of cluster, then of namespace.
 * The new spend of a namespace supposes that it alone changes, so that every list and page says the same of it. Returns
 * where the page ended while there is more.
 */
export async function* sizeNamespaces<Content extends ContainerContent>(
  deps: SizesDeps,
  organisation: string,
  query: SizesQuery,
  newContent: (of: NamespaceUsage) => Content,
  { kept = new HourlyUseCache(), signal }: SizingOptions = {},
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
    const context = { advisor, explain, prices, facts, changes, kept, yielder, rules, constraints }
    await sizeNamespace(reading, context, draft)
    draft.spendIfAllUsd = draft.spendThenUsd
    const onNodes = { loads: reading.loads.loads, changes }
    await limitToNodePrices(deps, organisation, hours, draft, onNodes, prices, yielder)
    draft.prices = summarisePrices(prices, draft.cluster, draft.nodes)
    kept.clear()
    draft.from = shownFrom(draft, query.after)
    draft.to = Math.min(draft.keys.length, draft.from + containerLimit - containers)
    namespaces++
    containers += draft.to - draft.from
    last = { cluster: draft.cluster, namespace: draft.namespace }
    const isCut = draft.to < draft.keys.length
    if (isCut) last = { ...last, container: draft.keys[draft.to - 1]! }
    // A namespace that a page ended with may have lost containers since.
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
  /** What the recommendations of the namespace would change on the nodes of the cluster. */
  readonly changes: NodeLoads
  readonly kept: HourlyUseCache
  readonly yielder: Yielder
  readonly rules: readonly SizingRule[]
  /** Constraints of the request, which go over the rules. */
  readonly constraints: SizeConstraints
}

/** Sizes a namespace's containers into the draft. The new spend is calculated as if no node were overfull; see limitToNodePrices. */
async function sizeNamespace(
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

/** Where a page begins inside a namespace, after the container that the one before ended with. */
function shownFrom(
  { cluster, namespace, keys }: NamespaceDraft<ContainerContent>,
  after: PageEnd | undefined,
): number {
  const container = after?.container
  if (container === undefined || after!.cluster !== cluster || after!.namespace !== namespace) return 0
  const index = keys.findIndex((key) => key > container)
  return index < 0 ? keys.length : index
}
