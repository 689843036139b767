import { NodeLoads } from '../../allocation/node-loads.ts'
import { memoizeNodePrices, type NodePrices } from '../../allocation/node-prices.ts'
import { Yielder } from '../../runtime/yielder.ts'
import { readEntities } from '../../usage/reading/read-entities.ts'
import type { SizesDeps } from './deps.ts'
import { type ContainerContent, NamespaceDraft } from './namespace-draft.ts'
import { namespaceCursor, type PageEnd, type SizesQuery } from './query.ts'
import { NamespaceFacts } from './reading/namespace-facts.ts'
import type { ClusterLoads } from './reading/node-load-cache.ts'
import { readNamespaces } from './reading/read-namespaces.ts'
import { HourlyUseCache, sizeNamespace } from './sized-namespace.ts'
import { overfullNodes, spendWithinNodes } from './spend-within-nodes.ts'

interface SizingOptions {
  readonly kept?: HourlyUseCache
  /** Aborted when the response is no longer needed. */
  readonly signal?: AbortSignal
}

/**
 * From what ran in a window to what every container of every namespace should ask for, in order of cluster, then of namespace.
 * What is recommended together is supposed to change together: all namespaces of a cluster, or, where pages count containers,
 * one namespace, so that each page says the same of it. A cluster is handed out once all of it is sized. Returns the cursor
 * of the next page while there is more.
 */
export async function* sizeNamespaces<Content extends ContainerContent>(
  deps: SizesDeps,
  organisation: string,
  query: SizesQuery,
  newContent: () => Content,
  { kept = new HourlyUseCache(), signal }: SizingOptions = {},
): AsyncGenerator<NamespaceDraft<Content>, string | undefined> {
  const { hours, cluster, explain, limit, containerLimit = Number.POSITIVE_INFINITY } = query
  if (hours.from >= hours.to) return undefined
  const [prices, advisor, entities] = await Promise.all([
    deps.nodePrices(organisation, cluster).then(memoizeNodePrices),
    deps.advisor(organisation, query.preference),
    readEntities(deps.store.usage, organisation, {
      kinds: ['quota', 'autoscaler'],
      ...(cluster === undefined ? {} : { cluster }),
    }),
  ])
  const facts = new NamespaceFacts(entities.values(), hours.from)
  const yielder = new Yielder(signal)
  let together: Together<Content> | undefined
  let [namespaces, containers] = [0, 0]
  let last: PageEnd | undefined
  let isMore = false
  for await (const reading of readNamespaces(deps, organisation, query, yielder)) {
    if (namespaces >= limit || containers >= containerLimit) {
      isMore = true
      break
    }
    if (
      together !== undefined &&
      (together.cluster !== reading.cluster || query.containerLimit !== undefined)
    )
      yield* await finished(together)
    if (together === undefined || together.isFinished) together = new Together(reading.cluster, reading.loads)
    const draft = new NamespaceDraft(reading, facts.quotaOf(reading.cluster, reading.namespace), newContent())
    const { changes } = together
    await sizeNamespace(reading, { advisor, explain, prices, facts, changes, kept, yielder }, draft)
    together.drafts.push(draft)
    draft.from = shownFrom(draft, query.after)
    draft.to = Math.min(draft.keys.length, draft.from + containerLimit - containers)
    namespaces++
    containers += draft.to - draft.from
    last = { cluster: draft.cluster, namespace: draft.namespace }
    if (draft.to < draft.keys.length) {
      last = { ...last, container: draft.keys[draft.to - 1]! }
      isMore = true
      break
    }
  }
  if (together !== undefined) yield* await finished(together)
  return isMore ? namespaceCursor(last!) : undefined

  async function finished(unit: Together<Content>): Promise<NamespaceDraft<Content>[]> {
    unit.isFinished = true
    await shareOut(deps, organisation, hours, unit, prices, yielder)
    // A namespace that a page ended with may have lost containers since.
    return unit.drafts.filter(({ from, to }) => from < to)
  }
}

/** What changes together. */
class Together<Content extends ContainerContent> {
  readonly cluster: string
  readonly loads: ClusterLoads
  readonly changes = new NodeLoads()
  readonly drafts: NamespaceDraft<Content>[] = []
  isFinished = false

  constructor(cluster: string, loads: ClusterLoads) {
    this.cluster = cluster
    this.loads = loads
  }
}

/** The new spend on a node must not exceed the price of the node. */
async function shareOut(
  deps: SizesDeps,
  organisation: string,
  hours: SizesQuery['hours'],
  { cluster, loads, changes, drafts }: Together<ContainerContent>,
  prices: NodePrices,
  yielder: Yielder,
): Promise<void> {
  const nodes = new Set<string>()
  for (const draft of drafts) for (const node of draft.nodes) nodes.add(node)
  const onNodes = { loads: loads.loads, changes }
  const overfull = await overfullNodes(hours, cluster, nodes, onNodes, prices, yielder)
  if (overfull.size === 0) return
  for (const draft of drafts)
    if (draft.nodes.values().some((node) => overfull.has(node)))
      await spendWithinNodes(deps, organisation, hours, draft, overfull, prices, yielder)
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
