import type { HourColumns } from '../../costs/allocation/hour-columns.ts'
import { type NodeLoads, type NodePrices, overfullLoad, priceSpansIn } from '../../costs/allocation/nodes.ts'
import { addSpend, allocateSpend, noSpend } from '../../costs/allocation/spend.ts'
import type { NamespaceSource, NamespaceUsage } from '../../costs/clusters/namespace-usage.ts'
import { type ContainerSubject, subjectOfKey } from '../../domain/subject.ts'
import type { Container } from '../../usage/reading/containers.ts'
import { PodReader } from '../../usage/reading/pod-reader.ts'
import type { ContainerContent, NamespaceDraft } from './namespace-draft.ts'

export type DigestSource = Pick<NamespaceSource, 'store' | 'organisation' | 'hours' | 'yielder'>

interface NodesOfNamespace {
  readonly loads: NodeLoads
  readonly changes: NodeLoads
  readonly prices: NodePrices
}

/** Limits the new spend, because everything that would run on a node must not cost more than the node. */
export async function limitToNodePrices(
  draft: NamespaceDraft<ContainerContent>,
  source: DigestSource,
  { loads, changes, prices }: NodesOfNamespace,
): Promise<void> {
  const { hours, yielder } = source
  const overfull = new Map<string, HourColumns>()
  for (const node of draft.nodes) {
    for (const { price, ...span } of priceSpansIn(prices, draft.cluster, node, hours)) {
      const load = overfullLoad(price, span, loads.columnsOf(node), changes.columnsOf(node))
      if (load !== undefined) overfull.set(node, load)
    }
    if (yielder.isDue) await yielder.pause()
  }
  if (overfull.size > 0) await spendWithinNodes(draft, source, overfull, prices)
  draft.uses = undefined
}

async function spendWithinNodes(
  draft: NamespaceDraft<ContainerContent>,
  { store, organisation, hours, yielder }: DigestSource,
  overfull: ReadonlyMap<string, HourColumns>,
  prices: NodePrices,
): Promise<void> {
  const loadsOf = (node: string) => overfull.get(node)
  if (draft.uses !== undefined) {
    for (const [index, key] of draft.keys.entries()) {
      const uses = draft.uses.get(key) ?? []
      draft.setNewSpend(index, allocateSpend(uses, draft.requestsAt(index), prices, loadsOf))
      if (yielder.isDue) await yielder.pause()
    }
    return
  }
  const indexOf = new Map(draft.keys.map((key, index) => [key, index]))
  for (const index of indexOf.values()) draft.setNewSpend(index, noSpend())
  const { cluster, namespace } = draft
  const reader = new PodReader()
  const query = {
    ...({ kind: 'container', cluster, namespace } as const),
    fromHour: hours.from,
    toHour: hours.to,
    summariesBefore: hours.to,
  }
  for await (const stored of store.usage.digests(organisation, query)) {
    const subject = subjectOfKey(stored.key) as ContainerSubject
    const read = reader.readWorkloadUse(subject, stored, hours)
    const index = read && indexOf.get(`${read.workload}/${subject.container}`)
    if (index !== undefined) {
      const spent = { ...draft.newSpendAt(index) }
      addSpend(spent, { subject, use: read!.use }, draft.requestsAt(index), prices, loadsOf)
      draft.setNewSpend(index, spent)
    }
    if (yielder.isDue) await yielder.pause()
  }
}

/** 16 MB: a month of 1,400 containers. */
const maxHours = 1_000_000

/** Limits how many hours of a namespace are kept, so that they are not read again if a node turns out to be overfull. */
export class HourlyUseBudget {
  readonly #maxHours: number
  #hours = 0

  constructor(most = maxHours) {
    this.#maxHours = most
  }

  /** Hours that do not all fit are not worth keeping in part: if one is missing, all are read again. */
  begin(draft: NamespaceDraft<ContainerContent>, { pods, measuredHours }: NamespaceUsage): void {
    this.#hours = 0
    if (pods * Math.ceil(measuredHours) > this.#maxHours) draft.uses = undefined
  }

  /** Keeps where and when the pods of a container ran, so that the rest can be released. */
  keep(draft: NamespaceDraft<ContainerContent>, { key, uses }: Container): void {
    if (typeof uses === 'function' || this.#hours >= this.#maxHours) draft.uses = undefined
    if (draft.uses === undefined || typeof uses === 'function') return
    for (const { use } of uses) this.#hours += use.length
    draft.uses.set(
      key,
      uses.map(({ subject, use }) => ({ subject: { cluster: subject.cluster }, use })),
    )
  }
}
