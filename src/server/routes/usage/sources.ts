import Type from 'typebox'
import { listSources, type UsageSource } from '../../../usage/list-sources.ts'
import { type HeavyReads, heavyReadProblems } from '../../heavy-reads.ts'
import type { Routes } from '../../server.ts'

/** Lists the clusters and machines that send usage, and when they last did. */
export function sourceRoutes(deps: Parameters<typeof listSources>[0], reads: HeavyReads): Routes {
  return (server) => {
    server.get('/v1/sources', {
      config: { scope: 'gateway:read', problems: heavyReadProblems },
      schema: {
        tags: ['Gateway'],
        summary: 'List clusters and machines that send usage, with the time of the last sample',
        description:
          'Clusters first, then machines, each sorted by name. A cluster is listed if it reports its nodes (kube-state-metrics), a machine if its agent reports it.',
        response: {
          200: Type.Array(
            Type.Object({
              kind: Type.Enum(['cluster', 'machine'] satisfies UsageSource['kind'][]),
              name: Type.String(),
              last_seen: Type.String({
                format: 'date-time',
                description: 'Start of the hour of the last sample',
              }),
              is_silent: Type.Boolean({ description: 'No sample in this hour and in the previous one' }),
            }),
          ),
        },
      },
      handler: async (request, reply) => {
        await reads.admit(request, reply)
        return reply.send(await listSources(deps, request.caller.organisation))
      },
    })
  }
}
