import { containersOf } from './containers.ts'
import { type Load, type NodeLoads, shareWithin } from './node-loads.ts'
import type { NodePrices } from './node-prices.ts'
import type { NamespaceUsage } from './read-namespaces.ts'
import type { SizedNamespace } from './sized-namespace.ts'
import { spendOf } from './spend.ts'

/** Of the nodes, those on which everything together would come to more than they cost, once the changes are made. */
export function overfullNodes(
  cluster: string,
  nodes: Iterable<string>,
  loads: NodeLoads,
  changes: NodeLoads,
  prices: NodePrices,
): Set<string> {
  const overfull = new Set<string>()
  for (const node of nodes) {
    const price = prices.of(cluster, node)
    if (price.perHourUsd === null) continue
    const [now, changed] = [loads.hoursOf(node), changes.hoursOf(node)]
    for (let hour = Math.min(now.from, changed.from); hour < Math.max(now.to, changed.to); hour++)
      if (shareWithin(price, plus(loads.at(node, hour), changes.at(node, hour))) < 1) {
        overfull.add(node)
        break
      }
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
