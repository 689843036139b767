import type { NamespaceUsage } from '../../costs/clusters/namespace-usage.ts'
import type { Market } from '../../pricing/market.ts'
import type { NodePriceDeps } from '../../pricing/price-node.ts'
import type { Yielder } from '../../runtime/yielder.ts'
import { type ClusterNodes, readClusterNodes } from './cluster-nodes.ts'
import { NamespacePods } from './namespace-pods.ts'
import type { ClusterRules } from './offered-pools.ts'
import { ClusterPods } from './packing/cluster-pods.ts'
import { type ClusterPlan, planCluster } from './plan-cluster.ts'

/** Collects the pods of clusters while their namespaces are sized. */
export class ClusterCollector {
  readonly market: Market
  readonly #nodes: ReadonlyMap<string, ClusterNodes>
  readonly #pods = new Map<string, ClusterPods>()

  private constructor(market: Market, nodes: ReadonlyMap<string, ClusterNodes>) {
    this.market = market
    this.#nodes = nodes
  }

  static async open(
    deps: NodePriceDeps,
    organisation: string,
    cluster: string | undefined,
  ): Promise<ClusterCollector> {
    const { market, clusters } = await readClusterNodes(deps, organisation, cluster)
    return new ClusterCollector(market, clusters)
  }

  podsOf(reading: NamespaceUsage): NamespacePods {
    const { cluster } = reading
    const pods = this.#pods.getOrInsertComputed(cluster, () => {
      const known = this.#nodesOf(cluster)
      return new ClusterPods(cluster, (node = '') => known.get(node)?.type.key ?? '')
    })
    return new NamespacePods(reading, pods)
  }

  /**
   * Must be called after all namespaces are sized. Clusters are expected to report until `untilHour`, in hours since
   * 1970.
   */
  async plan(rules: ClusterRules, untilHour: number, yielder: Yielder): Promise<ClusterPlan[]> {
    const plans: ClusterPlan[] = []
    for (const [cluster, pods] of this.#pods)
      plans.push(
        await planCluster(this.market, this.#nodesOf(cluster), pods, { ...rules, untilHour }, yielder),
      )
    return plans
  }

  #nodesOf(cluster: string): ClusterNodes {
    return this.#nodes.get(cluster) ?? new Map()
  }
}
