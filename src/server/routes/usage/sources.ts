import Type from 'typebox'
import { nullable } from '../../../domain/schema.ts'
import { listSources, sourceProblems, type UsageSource } from '../../../usage/list-sources.ts'
import { type HeavyReads, heavyReadProblems } from '../../heavy-reads.ts'
import type { Routes } from '../../server.ts'

export function sourceRoutes(deps: Parameters<typeof listSources>[0], reads: HeavyReads): Routes {
  return (server) => {
    server.get('/v1/sources', {
      config: { scope: 'gateway:read', problems: heavyReadProblems },
      schema: {
        tags: ['Gateway'],
        summary:
          'List clusters and machines that send usage, with what arrives, what is missing, and problems',
        description:
          'Clusters first, then machines, each sorted by name. Each is listed as soon as one of its samples is received.',
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
              first_sample: Type.String({
                format: 'date-time',
                description: 'Start of the hour of the first sample',
              }),
              last_sample: nullable(
                Type.String({ format: 'date-time', description: 'At most a minute or so behind' }),
              ),
              interval_seconds: nullable(Type.Number({ description: 'Between samples of CPU usage' })),
              metrics: Type.Array(
                Type.Object({
                  name: Type.String(),
                  last_sample: Type.String({ format: 'date-time' }),
                  interval_seconds: nullable(Type.Number()),
                }),
                { description: 'The metrics that were received; empty if an earlier release received them' },
              ),
              missing: Type.Array(
                Type.Object({
                  metrics: Type.Array(Type.String(), { description: 'One of them is enough' }),
                  unlocks: Type.String({ description: 'What the metric would make possible' }),
                }),
              ),
              problems: Type.Array(
                Type.Object({ code: Type.Enum([...sourceProblems]), message: Type.String() }),
              ),
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
