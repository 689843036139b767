import { containersOf } from './containers.ts'
import { type Load, type NodeLoads, shareWithin } from './node-loads.ts'
import type { NodePrices } from './node-prices.ts'
import type { NamespaceUsage } from './read-namespaces.ts'
import type { SizedNamespace } from './sized-namespace.ts'
import { spendOf } from './spend.ts'

/** Nodes on which everything together would come to more than they cost, once the changes are made. */
export function overfullNodes(
  cluster: string,
  loads: NodeLoads,
  changes: NodeLoads,
  prices: NodePrices,
): Set<string> {
  const overfull = new Set<string>()
  for (const { node, hour, load } of changes.entries()) {
    if (overfull.has(node)) continue
    if (shareWithin(prices.of(cluster, node), plus(loads.at(node, hour), load)) < 1) overfull.add(node)
  }
  // Nodes that are too full today and where nothing changes.
  for (const { node, hour, load } of loads.entries()) {
    if (overfull.has(node)) continue
    const then = plus(load, changes.at(node, hour))
    if (shareWithin(prices.of(cluster, node), then) < 1) overfull.add(node)
  }
  return overfull
}

/** The new spend again, with each node's price shared out among all that would be on it. */
export function withinNodes(
  sized: SizedNamespace,
  usage: NamespaceUsage,
  changes: NodeLoads,
  prices: NodePrices,
): SizedNamespace {
  const loadAt = (node: string, hour: number): Load =>
    plus(usage.loads.loads.at(node, hour), changes.at(node, hour))
  const pods = new Map(containersOf(usage.pods).map((container) => [container.key, container.pods]))
  return {
    ...sized,
    containers: sized.containers.map((container) => ({
      ...container,
      spendThen: spendOf(pods.get(container.key) ?? [], container.requests, prices, loadAt),
    })),
  }
}

const plus = (a: Load, b: Load): Load => ({ cores: a.cores + b.cores, gib: a.gib + b.gib })
