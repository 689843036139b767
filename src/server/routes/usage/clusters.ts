import Type from 'typebox'
import { optional, string } from '../../../domain/schema.ts'
import { exportPools, poolFormats } from '../../../recommendations/clusters/export-pools.ts'
import { planObjects } from '../../../recommendations/clusters/plan-objects.ts'
import { parseClustersRequest } from '../../../recommendations/clusters/query.ts'
import { type ClustersDeps, recommendClusters } from '../../../recommendations/clusters/recommend-clusters.ts'
import {
  ClusterPlanRequest,
  ClusterRecommendation,
  ClustersQueryView,
} from '../../../recommendations/clusters/schema.ts'
import { viewCluster } from '../../../recommendations/clusters/view-cluster.ts'
import { type HeavyReads, heavyReadProblems } from '../../heavy-reads.ts'
import { largeBodyBytes, type Routes } from '../../server.ts'

export function clusterRoutes(deps: ClustersDeps, reads: HeavyReads): Routes {
  const findProvider = (name: string) => deps.pricing.findProvider(name)
  return (server) => {
    server.get('/v1/cluster_recommendations', {
      config: { scope: 'gateway:read', hasAmounts: true, problems: heavyReadProblems },
      schema: {
        tags: ['Gateway'],
        summary: 'Recommend nodes for clusters',
        description:
          'Returns for each cluster its current nodes and the cheapest node pools that fit its pods with their recommended sizes: fewer nodes of the same types, nodes of other types in the same region, in another region, or with another provider; with `spot` also each with a share of spot nodes (of types that cost at most 1% more than the cheapest, the fastest). Every pod is placed, with headroom, what runs on every node, and what the system reserves. Sorted by cluster.',
        querystring: Type.Object({ ...ClustersQueryView.properties, ...exportQuery(deps) }),
        response: { 200: Type.Array(ClusterRecommendation) },
      },
      handler: async (request, reply) => {
        const query = parseClustersRequest(request.query, deps.sizes.now())
        const signal = await reads.admit(request, reply)
        const { market, plans, hour } = await recommendClusters(
          deps,
          request.caller.organisation,
          query,
          signal,
        )
        const { format = 'json', option } = request.query
        if (format !== 'json')
          return reply.type(typeOf(format)).send(exportPools(plans, format, findProvider, option))
        return reply.send(plans.map((plan) => viewCluster(deps.pricing, market, query.hours, plan, hour)))
      },
    })
    server.post('/v1/clusters/plan', {
      config: { scope: 'pricing:read', hasAmounts: true, problems: heavyReadProblems },
      bodyLimit: largeBodyBytes,
      schema: {
        tags: ['Gateway'],
        summary: 'Plan the nodes of a cluster from a list of its pods',
        description:
          'Answers as for a cluster with history, from the output of kubectl or from pods that are stated, with the requests that they have. Init containers, node selectors, taints, anti-affinity, spread over hosts and zones, GPUs, and zones of bound volumes are kept; disruption budgets decide which pods may run on spot nodes. Nothing of the request is stored or logged.',
        querystring: Type.Object(exportQuery(deps)),
        body: ClusterPlanRequest,
        response: { 200: ClusterRecommendation },
      },
      handler: async (request, reply) => {
        const signal = await reads.admit(request, reply)
        const { organisation } = request.caller
        const now = deps.sizes.now()
        const { view, plan } = await planObjects(deps.pricing, organisation, request.body, now, signal)
        const { format = 'json', option } = request.query
        if (format !== 'json')
          return reply.type(typeOf(format)).send(exportPools([plan], format, findProvider, option))
        return reply.send(view)
      },
    })
  }
}

const typeOf = (format: string): string => `text/${format === 'csv' ? 'csv' : 'plain'}; charset=utf-8`

const exportQuery = ({ pricing }: ClustersDeps) => ({
  format: optional(
    Type.Enum(['json', ...poolFormats(pricing.providers)] as [string, ...string[]], {
      description:
        'json, or an option of each cluster in another format: csv, terraform, or that of a tool of its provider',
    }),
  ),
  option: optional(
    string('id of the option in another format; default: the recommended one', { maxLength: 128 }),
  ),
})
