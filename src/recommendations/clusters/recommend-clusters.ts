import { type CoveredHour, readCoveredHour } from '../../pricing/commitments/covered-hour.ts'
import type { Market, PricingDeps } from '../../pricing/market.ts'
import { Yielder } from '../../runtime/yielder.ts'
import { everyNamespace, type SizesDeps, sizeNamespaces } from '../containers/size-namespaces.ts'
import { ClusterCollector } from './cluster-collector.ts'
import type { ClusterPlan } from './cluster-plan.ts'
import type { ClustersQuery } from './query.ts'

export interface ClustersDeps {
  readonly sizes: SizesDeps
  readonly pricing: PricingDeps
}

interface PlannedClusters {
  readonly market: Market
  readonly plans: readonly ClusterPlan[]
  /** Undefined without commitments. */
  readonly hour: CoveredHour | undefined
}

/** Returns what the nodes of each cluster could be, ordered by cluster. */
export async function recommendClusters(
  { sizes, pricing }: ClustersDeps,
  organisation: string,
  { hours, cluster, rules }: ClustersQuery,
  signal: AbortSignal,
): Promise<PlannedClusters> {
  const clusters = await ClusterCollector.open({ pricing, usage: sizes.store.usage }, organisation, {
    cluster,
    hours,
  })
  const query = { ...everyNamespace, hours, cluster }
  const sizing = sizeNamespaces(sizes, organisation, query, (of) => clusters.podsOf(of), { signal })
  for await (const { content } of sizing) content.finish()
  return {
    market: clusters.market,
    plans: await clusters.plan(rules, new Yielder(signal)),
    hour: await readCoveredHour({ pricing, store: sizes.store, now: sizes.now }, organisation),
  }
}
