import Type from 'typebox'
import { dollars } from '../../domain/money.ts'
import { planObjects } from '../../recommendations/clusters/plan-objects.ts'
import { parseClustersRequest } from '../../recommendations/clusters/query.ts'
import { recommendClusters } from '../../recommendations/clusters/recommend-clusters.ts'
import {
  ClusterPlanRequest,
  ClusterRecommendation,
  ClustersQueryView,
  type NodePoolView,
  RulesView,
} from '../../recommendations/clusters/schema.ts'
import { viewCluster } from '../../recommendations/clusters/view-cluster.ts'
import { type Tool, tool } from './tool.ts'

const { objects: _, ...stated } = ClusterPlanRequest.properties
const neverAborted = new AbortController().signal

export const clusterTools: readonly Tool[] = [
  tool({
    name: 'cluster_nodes',
    title: 'Nodes of clusters',
    description:
      'Return the current nodes of clusters and cheaper ones that hold their pods with the recommended sizes, with the cost per month of each option.',
    scope: 'gateway:read',
    input: Type.Object({ cluster: ClustersQueryView.properties.cluster, ...RulesView.properties }),
    output: Type.Object({ clusters: Type.Array(ClusterRecommendation) }),
    answer: ({ usage, pricing, now }, organisation, asked, signal = neverAborted) =>
      usage(async (sizes) => {
        const query = parseClustersRequest(asked, now())
        const { market, plans } = await recommendClusters({ sizes, pricing }, organisation, query, signal)
        const clusters = plans.map((plan) => viewCluster(pricing, market, query.hours, plan))
        return {
          structured: { clusters },
          text: clusters.map(clusterLines).join('\n') || 'No cluster is known.',
        }
      }),
  }),
  tool({
    name: 'plan_cluster',
    title: 'Nodes for pods',
    description:
      'Return the cheapest nodes that hold pods with stated requests, of the provider, region and kind of a stated instance type.',
    scope: 'pricing:read',
    input: Type.Object(stated),
    output: Type.Object({ plan: ClusterRecommendation }),
    answer: async ({ pricing, now }, organisation, asked, signal = neverAborted) => {
      const { view: plan } = await planObjects(pricing, organisation, asked, now(), signal)
      return { structured: { plan }, text: clusterLines(plan) }
    },
  }),
]

function clusterLines(view: ClusterRecommendation): string {
  const pools = (all: readonly NodePoolView[]) =>
    all
      .map(
        ({ count, mean_count: mean, instance_type: type }) =>
          `${count} x ${type ?? 'unknown'}${mean === undefined ? '' : ` (${mean.toFixed(1)} on average)`}`,
      )
      .join(', ')
  const now = view.cost_per_month.now
  return [
    `${view.cluster}: ${pools(view.nodes)}${now === null ? '' : `, ${dollars(now)} a month`}`,
    ...view.options.map(
      (option) => `  ${option.id}: ${pools(option.pools)}: ${dollars(option.cost_per_month)} a month`,
    ),
    ...view.reasons,
  ].join('\n')
}
