import type { HourColumns } from './hour-columns.ts'
import { NodeLoads, shareWithin } from './node-loads.ts'
import type { NodePrices } from './node-prices.ts'
import type { Hours } from './pod-usage.ts'
import type { SizedNamespace } from './sized-namespace.ts'
import { type LoadsOf, type Placed, spendOf } from './spend.ts'

/** What would be on each node once the changes are made; worked out for those that are asked for. */
export function changedLoads(
  loads: NodeLoads,
  changes: NodeLoads,
): (node: string) => HourColumns | undefined {
  const changed = new NodeLoads()
  return (node) => {
    const known = changed.of(node)
    if (known !== undefined) return known
    for (const part of [loads.of(node), changes.of(node)])
      if (part !== undefined) changed.from(node, part.first).addAll(part)
    return changed.of(node)
  }
}

/** Of the nodes, those on which everything together comes to more than they cost in any of these hours. */
export function overfullNodes(
  { from, to }: Hours,
  cluster: string,
  nodes: Iterable<string>,
  loadsOf: (node: string) => HourColumns | undefined,
  prices: NodePrices,
): Set<string> {
  const overfull = new Set<string>()
  for (const node of nodes) {
    const price = prices.of(cluster, node)
    const loads = price.perHourUsd === null ? undefined : loadsOf(node)
    if (loads === undefined) continue
    const end = Math.min(to, loads.end)
    for (let hour = Math.max(from, loads.first); hour < end; hour++)
      if (shareWithin(price, loads.cores[hour - loads.first]!, loads.gib[hour - loads.first]!) < 1) {
        overfull.add(node)
        break
      }
  }
  return overfull
}

/** The new spend again, with each node's price shared out among all that would be on it. */
export function withinNodes(
  sized: SizedNamespace,
  pods: ReadonlyMap<string, readonly Placed[]>,
  loadsOf: LoadsOf,
  prices: NodePrices,
): SizedNamespace {
  return {
    ...sized,
    containers: sized.containers.map((container) => ({
      ...container,
      spendThen: spendOf(pods.get(container.key) ?? [], container.requests, prices, loadsOf),
    })),
  }
}
