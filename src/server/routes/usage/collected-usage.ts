import Type, { type Static } from 'typebox'
import { Problem } from '../../../domain/problem.ts'
import { boolean, integer, nullable, optional, string } from '../../../domain/schema.ts'
import { parseTime } from '../../../domain/time.ts'
import type { IngestThread } from '../../../ingest/ingest-thread.ts'
import type { Routes } from '../../server.ts'
import { formatOf, laterProblem, registerBinary, samplesIn, writeProblemOf } from './remote-write.ts'

const CollectedQuery = Type.Object({
  cluster: string('Cluster of series without a cluster label', { minLength: 1, maxLength: 200 }),
  engine: string(
    'Where the history comes from, such as prometheus:9090; together with the cluster it identifies the collection',
    { pattern: '^[!-~]{1,200}$' },
  ),
  until: optional(
    string(
      'RFC 3339; no sample is later than this. If absent, nothing is stored, and the response contains the time at which to continue.',
    ),
  ),
  complete: optional(boolean('Whether everything before `until` has been sent with this request')),
})

const CollectedView = Type.Object({
  samples: integer('Samples that were read; 0 if they were already collected'),
  rejected: integer('Samples that are too old, too far in the future or too large'),
  subjects: integer('Containers and processes of the last two days of the collection'),
  done_until: nullable(
    Type.String({ format: 'date-time' }),
    'Everything before this time is stored: continue there. Null if nothing is stored.',
  ),
})

export function collectedUsageRoutes(ingest: Pick<IngestThread, 'receiveCollected'>): Routes {
  return (server) => {
    registerBinary(server, (own) => {
      own.post('/v1/collected_usage', {
        ...samplesIn,
        schema: {
          tags: ['Usage'],
          summary: 'Send collected history',
          description:
            'For history that a client reads from Prometheus, VictoriaMetrics, Thanos or Mimir, in order of time and one request after ' +
            'another; `cheapside collect --server` does it. Body: application/x-protobuf compressed with snappy, remote write 1.0 or 2.0. ' +
            'Samples may be of any age. They are stored when the request is answered; samples that are sent again count once.',
          querystring: CollectedQuery,
          response: { 200: CollectedView },
        },
        handler: async (request, reply) => {
          const { cluster, engine, until, complete = false } = request.query as Static<typeof CollectedQuery>
          const summary = await ingest
            .receiveCollected({
              organisation: request.caller.organisation,
              format: formatOf(request.headers),
              cluster,
              engine,
              body: (request.body ?? new Uint8Array()) as Uint8Array,
              untilMs: until === undefined ? undefined : timeOf(until),
              isComplete: complete,
            })
            .catch((error: unknown) => {
              throw writeProblemOf(error)
            })
          const { samples, rejected, refusal, doneUntilMs, subjects } = summary
          if (refusal !== undefined) throw laterProblem(refusal, summary)
          const done_until = doneUntilMs === 0 ? null : new Date(doneUntilMs).toISOString()
          return reply.send({ samples, rejected, subjects, done_until })
        },
      })
    })
  }
}

function timeOf(text: string): number {
  const time = parseTime(text)
  if (time !== undefined) return time
  throw new Problem('invalid', 'The query is invalid.', {
    errors: [{ pointer: '?until', message: 'must be a time such as 2026-11-15T00:00:00Z' }],
  })
}
