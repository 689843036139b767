import Type from 'typebox'
import { optional, string } from '../../../domain/schema.ts'
import { describeVms } from '../../../recommendations/compute/describe-vms.ts'
import { type NodesDeps, recommendNodes } from '../../../recommendations/compute/recommend-nodes.ts'
import { NodeRecommendation, VmMetadata } from '../../../recommendations/compute/schema.ts'
import type { MachinesDeps } from '../../../recommendations/machines/deps.ts'
import { type HeavyReads, heavyReadProblems } from '../../heavy-reads.ts'
import { linkTo } from '../../requests/negotiation.ts'
import type { Routes } from '../../server.ts'

const page = {
  limit: Type.Integer({ minimum: 1, maximum: 1000, default: 100 }),
  cursor: optional(string('From the Link header', { maxLength: 8192 })),
}
const paging = 'The next page is in the Link header, rel="next".'

export function computeGatewayRoutes(deps: NodesDeps & MachinesDeps, reads: HeavyReads): Routes {
  const config = { scope: 'gateway:read', problems: heavyReadProblems } as const
  const tags = ['Compute']
  return (server) => {
    server.get('/v1/compute/recommendations', {
      config,
      schema: {
        tags,
        summary: 'Find cheaper machines for the nodes of your clusters',
        description: `Returns the cheapest offer of each provider that is large enough for the requests or the usage of the pods on the node, whichever is greater, at a utilisation of at most 80%. Offers of other providers or regions cannot be nodes of a managed cluster; GET /v1/cluster_recommendations compares within the region. Sorted by cluster and node. ${paging}`,
        querystring: Type.Object({
          cluster: optional(string('Only this cluster', { maxLength: 2300 })),
          ...page,
        }),
        response: { 200: Type.Array(NodeRecommendation) },
      },
      handler: async (request, reply) => {
        const signal = await reads.admit(request, reply)
        const { organisation } = request.caller
        const { items, next } = await recommendNodes(deps, organisation, request.query, signal)
        if (next !== undefined) reply.header('link', linkTo(request.url, { cursor: next }))
        return reply.send(items)
      },
    })
    server.get('/v1/vm_metadata', {
      config,
      schema: {
        tags,
        summary: 'List your machines and what is known about them',
        description: `Sorted by name. ${paging}`,
        querystring: Type.Object(page),
        response: { 200: Type.Array(VmMetadata) },
      },
      handler: async (request, reply) => {
        await reads.admit(request, reply)
        const { items, next } = await describeVms(deps, request.caller.organisation, request.query)
        if (next !== undefined) reply.header('link', linkTo(request.url, { cursor: next }))
        return reply.send(items)
      },
    })
  }
}
