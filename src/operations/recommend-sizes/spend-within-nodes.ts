import { HourColumns } from '../../allocation/hour-columns.ts'
import { type NodeLoads, shareWithinPrice } from '../../allocation/node-loads.ts'
import type { NodePrice, NodePrices } from '../../allocation/node-prices.ts'
import { addSpend, allocateSpend } from '../../allocation/spend.ts'
import { type ContainerSubject, subjectOfKey } from '../../domain/subject.ts'
import type { Yielder } from '../../runtime/yielder.ts'
import { PodReader } from '../../usage/reading/pod-reader.ts'
import type { HourRange } from '../../usage/reading/pod-usage.ts'
import type { SizesDeps } from './deps.ts'
import type { ContainerContent, NamespaceDraft } from './namespace-draft.ts'

/** Nodes whose total exceeds their price in any hour after the changes, with their loads at that point. */
export async function overfullNodes(
  hours: HourRange,
  cluster: string,
  nodes: Iterable<string>,
  { loads, changes }: { readonly loads: NodeLoads; readonly changes: NodeLoads },
  prices: NodePrices,
  yielder: Yielder,
): Promise<ReadonlyMap<string, HourColumns>> {
  const overfull = new Map<string, HourColumns>()
  for (const node of nodes) {
    const price = prices.of(cluster, node)
    const changed = price.perHourUsd === null ? undefined : together(loads.of(node), changes.of(node))
    if (changed !== undefined && isOverfull(hours, changed, price)) overfull.set(node, changed)
    if (yielder.isDue) await yielder.pause()
  }
  return overfull
}

function together(a: HourColumns | undefined, b: HourColumns | undefined): HourColumns | undefined {
  const first = a ?? b
  if (first === undefined) return undefined
  const sum = new HourColumns(first.first)
  if (a !== undefined) sum.addAll(a)
  if (b !== undefined) sum.addAll(b)
  return sum
}

function isOverfull(
  { from, to }: HourRange,
  { first, end, cores, gib }: HourColumns,
  price: NodePrice,
): boolean {
  for (let hour = Math.max(from, first); hour < Math.min(to, end); hour++)
    if (shareWithinPrice(price, cores[hour - first]!, gib[hour - first]!) < 1) return true
  return false
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
