import type { NamespaceUsage } from '../../costs/clusters/namespace-usage.ts'
import type { Market } from '../../pricing/market.ts'
import type { NodePriceDeps } from '../../pricing/price-node.ts'
import type { Yielder } from '../../runtime/yielder.ts'
import type { HourRange } from '../../usage/reading/pod-usage.ts'
import { type ClusterFacts, type ClusterNodes, readClusterFacts, workloadKey } from './cluster-nodes.ts'
import type { ClusterPlan } from './cluster-plan.ts'
import type { ClusterRules } from './cluster-rules.ts'
import { NamespacePods } from './namespace-pods.ts'
import { ClusterPods } from './packing/cluster-pods.ts'
import { planCluster } from './plan-cluster.ts'

/** Collects the pods of clusters while their namespaces are sized. */
export class ClusterCollector {
  readonly market: Market
  readonly #deps: NodePriceDeps
  readonly #hours: HourRange
  readonly #facts: ClusterFacts
  readonly #pods = new Map<string, ClusterPods>()

  private constructor(deps: NodePriceDeps, facts: ClusterFacts, hours: HourRange) {
    this.#hours = hours
    this.#deps = deps
    this.market = facts.market
    this.#facts = facts
  }

  static async open(
    deps: NodePriceDeps,
    organisation: string,
    { cluster, hours }: { readonly cluster: string | undefined; readonly hours: HourRange },
  ): Promise<ClusterCollector> {
    return new ClusterCollector(deps, await readClusterFacts(deps, organisation, cluster), hours)
  }

  podsOf(reading: NamespaceUsage): NamespacePods {
    const { cluster } = reading
    const pods = this.#pods.getOrInsertComputed(cluster, () => {
      const known = this.#nodesOf(cluster)
      const zoneOf = (node: string) => known.get(node)?.zone
      return new ClusterPods(cluster, (node = '') => known.get(node)?.type.key ?? '', zoneOf)
    })
    const { namespace } = reading
    return new NamespacePods(reading, this.#hours, pods, (name) =>
      this.#facts.initRequests.get(workloadKey({ cluster, namespace, name })),
    )
  }

  /**
   * Must be called after all namespaces are sized. Clusters are expected to report until the end of the hours.
   */
  async plan(rules: ClusterRules, yielder: Yielder): Promise<ClusterPlan[]> {
    const { from, to } = this.#hours
    const plans: ClusterPlan[] = []
    for (const [cluster, pods] of this.#pods)
      plans.push(
        await planCluster(
          { ...this.#deps.pricing, market: this.market },
          this.#nodesOf(cluster),
          pods,
          { ...rules, fromHour: from, untilHour: to },
          yielder,
        ),
      )
    return plans
  }

  #nodesOf(cluster: string): ClusterNodes {
    return this.#facts.clusters.get(cluster) ?? new Map()
  }
}
