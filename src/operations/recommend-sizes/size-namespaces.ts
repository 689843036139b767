import type { HourColumns } from '../../allocation/hour-columns.ts'
import {
  memoizeNodePrices,
  NodeLoads,
  type NodePrices,
  overfullLoad,
  summarisePrices,
} from '../../allocation/nodes.ts'
import { addSpend, allocateSpend } from '../../allocation/spend.ts'
import type { NamespaceUsage } from '../../cluster-usage/namespace-usage.ts'
import { type PageEnd, readNamespaceFacts, readNamespaces } from '../../cluster-usage/read-namespaces.ts'
import { type ContainerSubject, subjectOfKey } from '../../domain/subject.ts'
import { Yielder } from '../../runtime/yielder.ts'
import { PodReader } from '../../usage/reading/pod-reader.ts'
import type { HourRange } from '../../usage/reading/pod-usage.ts'
import type { SizesDeps } from './deps.ts'
import { namespaceCursor, type SizesQuery } from './query.ts'
import type { ContainerContent } from './sized-container.ts'
import { HourlyUseCache, NamespaceDraft, sizeNamespace } from './sized-namespace.ts'

interface SizingOptions {
  readonly kept?: HourlyUseCache
  /** Aborted when the response is no longer needed. */
  readonly signal?: AbortSignal
}

/**
 * From what ran in a window to what every container of every namespace should ask for, in order of cluster, then of namespace.
 * The new spend of a namespace supposes that it alone changes, so that every list and page says the same of it. Returns the
 * cursor of the next page while there is more.
 */
export async function* sizeNamespaces<Content extends ContainerContent>(
  deps: SizesDeps,
  organisation: string,
  query: SizesQuery,
  newContent: (of: NamespaceUsage) => Content,
  { kept = new HourlyUseCache(), signal }: SizingOptions = {},
): AsyncGenerator<NamespaceDraft<Content>, string | undefined> {
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
    await shareOut(deps, organisation, hours, draft, onNodes, prices, yielder)
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
  return isMore ? namespaceCursor(last!) : undefined
}

/** The new spend on a node must not exceed the price of the node. */
async function shareOut(
  deps: SizesDeps,
  organisation: string,
  hours: HourRange,
  draft: NamespaceDraft<ContainerContent>,
  onNodes: { readonly loads: NodeLoads; readonly changes: NodeLoads },
  prices: NodePrices,
  yielder: Yielder,
): Promise<void> {
  const overfull = new Map<string, HourColumns>()
  for (const node of draft.nodes) {
    const price = prices.of(draft.cluster, node)
    const load = overfullLoad(price, hours, onNodes.loads.of(node), onNodes.changes.of(node))
    if (load !== undefined) overfull.set(node, load)
    if (yielder.isDue) await yielder.pause()
  }
  if (overfull.size > 0) await spendWithinNodes(deps, organisation, hours, draft, overfull, prices, yielder)
  draft.uses = undefined
}

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

/** The new spend again, with each overfull node's price shared out among all that would be on it. */
export async function spendWithinNodes(
  deps: Pick<SizesDeps, 'store'>,
  organisation: string,
  hours: HourRange,
  draft: NamespaceDraft<ContainerContent>,
  overfull: ReadonlyMap<string, HourColumns>,
  prices: NodePrices,
  yielder: Yielder,
): Promise<void> {
  const loadsOf = (node: string) => overfull.get(node)
  if (draft.uses !== undefined) {
    for (const [index, key] of draft.keys.entries()) {
      const uses = draft.uses.get(key) ?? []
      draft.setSpendThen(index, allocateSpend(uses, draft.requestsAt(index), prices, loadsOf))
      if (yielder.isDue) await yielder.pause()
    }
    return
  }
  const indexOf = new Map(draft.keys.map((key, index) => [key, index]))
  for (const index of indexOf.values()) draft.setSpendThen(index, { cpuUsd: 0, memoryUsd: 0 })
  const { cluster, namespace } = draft
  const reader = new PodReader()
  const query = {
    ...({ kind: 'container', cluster, namespace } as const),
    ...{ fromHour: hours.from, toHour: hours.to, summariesBefore: hours.to },
  }
  for await (const stored of deps.store.usage.digests(organisation, query)) {
    const subject = subjectOfKey(stored.key) as ContainerSubject
    const placed = reader.readPlaced(subject, stored, hours)
    const index = placed && indexOf.get(`${placed.workload}/${subject.container}`)
    if (index !== undefined) {
      const spent = { ...draft.spendThenAt(index) }
      addSpend(spent, { subject, use: placed!.use }, draft.requestsAt(index), prices, loadsOf)
      draft.setSpendThen(index, spent)
    }
    if (yielder.isDue) await yielder.pause()
  }
}
