import type { NamespaceUsage } from '../../cluster-usage/namespace-usage.ts'
import type { Market, PricingDeps } from '../../market/market.ts'
import { everyNamespace, type SizesDeps, sizeNamespaces } from '../../namespace-sizes/size-namespaces.ts'
import { ClusterPods } from '../../node-pools/cluster-pods.ts'
import { Yielder } from '../../runtime/yielder.ts'
import { type ClusterNodes, readClusterNodes } from './cluster-nodes.ts'
import { NamespacePods } from './namespace-pods.ts'
import type { ClusterRules } from './offered-pools.ts'
import type { ClustersQuery } from './query.ts'
import { type ClusterPlan, recommendCluster } from './recommend-cluster.ts'

export interface ClustersDeps {
  readonly sizes: SizesDeps
  readonly pricing: PricingDeps
}

/** What the nodes of each cluster could be, in order of cluster. */
export async function recommendClusters(
  deps: ClustersDeps,
  organisation: string,
  { hours, untilHour, cluster, rules }: ClustersQuery,
  signal: AbortSignal,
): Promise<{ readonly market: Market; readonly plans: readonly ClusterPlan[] }> {
  const clusters = await ClusterCollector.open(deps, organisation, cluster)
  const query = { ...everyNamespace, hours, cluster }
  const sizing = sizeNamespaces(deps.sizes, organisation, query, (of) => clusters.podsOf(of), { signal })
  for await (const { content } of sizing) content.finish()
  return { market: clusters.market, plans: await clusters.plan(rules, untilHour, new Yielder(signal)) }
}

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
    { pricing, sizes }: ClustersDeps,
    organisation: string,
    cluster: string | undefined,
  ): Promise<ClusterCollector> {
    const { usage } = sizes.store
    const { market, clusters } = await readClusterNodes({ pricing, usage }, organisation, cluster)
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

  /** Once all namespaces are sized; clusters should report until the hour, counted from 1970. */
  async plan(rules: ClusterRules, untilHour: number, yielder: Yielder): Promise<ClusterPlan[]> {
    const plans: ClusterPlan[] = []
    for (const [cluster, pods] of this.#pods)
      plans.push(
        await recommendCluster(this.market, this.#nodesOf(cluster), pods, { ...rules, untilHour }, yielder),
      )
    return plans
  }

  #nodesOf(cluster: string): ClusterNodes {
    return this.#nodes.get(cluster) ?? new Map()
  }
}
