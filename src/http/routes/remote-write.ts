import Type from 'typebox'
import { longestNamesBytes } from '../../collectors/interpret.ts'
import { defaultLimits } from '../../collectors/remote-write/limits.ts'
import { MalformedRequest } from '../../collectors/remote-write/malformed.ts'
import { messageFormat, writtenHeaders } from '../../collectors/remote-write/negotiate.ts'
import { Problem } from '../../domain/problem.ts'
import { Overloaded } from '../../ingest/group-commit.ts'
import type { PushedRequest } from '../../ingest/pipeline.ts'
import type { ReceiveSummary, Refusal } from '../../ingest/request-validator.ts'
import { sampleAgeLimits } from '../../ingest/sample-age-limits.ts'
import { largeBodyBytes, type Routes } from '../server.ts'

const { maxLabelBytes, maxLabels } = defaultLimits
/** Where no series and no address names a cluster. */
const defaultCluster = 'default'
const retrySoonSeconds = 1
/** Series are forgotten by the hour; sooner there is no more room than now. */
const retryLaterSeconds = 60

/** Prometheus remote write, 1.0 and 2.0. */
export function remoteWriteRoutes(receive: (request: PushedRequest) => Promise<ReceiveSummary>): Routes {
  return (server) => {
    // A scope of its own: no other route reads such bodies.
    server.register((own, _options, done) => {
      own.removeAllContentTypeParsers()
      // A copy: the body is handed over to another thread with its memory, which buffers share.
      own.addContentTypeParser(
        '*',
        { parseAs: 'buffer', bodyLimit: largeBodyBytes },
        (_request, body: Buffer, parsed) => parsed(null, new Uint8Array(body)),
      )
      own.post('/api/v1/write', {
        config: {
          scope: 'usage:write',
          problems: [
            'bad-request',
            'body-too-large',
            'unsupported-media-type',
            'too-many-series',
            'overloaded',
          ],
        },
        bodyLimit: largeBodyBytes,
        schema: {
          tags: ['Usage'],
          summary: 'Send usage by Prometheus remote write',
          description:
            'application/x-protobuf in snappy, remote write 1.0 or 2.0. Metrics that tell nothing of use are ignored. ' +
            '204: all of it is kept. 400: some or all of it can never be taken, the rest is kept; ' +
            'X-Prometheus-Remote-Write-Samples-Written says how much. 429 and 503: some or all of it cannot be taken now, ' +
            'send all of it again after Retry-After; what was kept of it counts once.',
          querystring: Type.Object({
            cluster: Type.Optional(
              Type.String({ minLength: 1, maxLength: 200, description: 'Cluster of series that name none' }),
            ),
          }),
          response: { 204: Type.Null({ description: 'Kept.' }) },
        },
        handler: async (request, reply) => {
          const { headers } = request
          const format = messageFormat(headers['content-type'], headers['content-encoding'])
          if (format === undefined)
            throw new Problem(
              'unsupported-media-type',
              'Send application/x-protobuf in snappy: prometheus.WriteRequest or io.prometheus.write.v2.Request.',
            )
          reply.headers(writtenHeaders(nothing))
          const { cluster = defaultCluster } = request.query as { cluster?: string }
          const received = await receive({
            organisation: request.caller.organisation,
            format,
            cluster,
            body: (request.body ?? new Uint8Array()) as Uint8Array,
          }).catch((error: unknown) => {
            throw problemOf(error)
          })
          const { oversized, tooOld, inTheFuture, histograms, exemplars, refused, refusal } = received
          const samples = received.samples - refused - oversized - tooOld - inTheFuture
          reply.headers(writtenHeaders({ samples, histograms, exemplars }))
          if (refusal !== undefined) throw laterProblem(refusal, received)
          if (samples < received.samples) throw new Problem('bad-request', leftOut(received))
          return reply.code(204).send()
        },
      })
      done()
    })
  }
}

const nothing = { samples: 0, histograms: 0, exemplars: 0 }

/** The protocol has no 2xx for a request of which a part is refused; that part is never to be sent again. */
function leftOut({ samples, oversized, tooOld, inTheFuture }: ReceiveSummary): string {
  const reasons = [
    [
      oversized,
      `with a label of more than ${maxLabelBytes} bytes, more than ${maxLabels} labels, ` +
        `or names of more than ${longestNamesBytes} bytes together, a cluster's counting as 800 at least`,
    ],
    [tooOld, `older than ${sampleAgeLimits.maxAgeMs / 3_600_000} hours`],
    [inTheFuture, `more than ${sampleAgeLimits.maxAheadMs / 60_000} minutes ahead of the clock here`],
  ] as const
  const told = reasons.filter(([count]) => count > 0).map(([count, reason]) => `${count} ${reason}`)
  return `Of ${samples} samples these are left out, and the others kept: ${told.join('; ')}.`
}

/** Sent again as a whole: what was kept of it is known by then, and counts once. */
function laterProblem({ code, message }: Refusal, { samples, refused }: ReceiveSummary): Problem {
  const detail = `Of ${samples} samples ${refused} are of new series and are not taken now: ${message}. The others are kept.`
  return new Problem(code, detail, { retryAfterSeconds: retryLaterSeconds })
}

function problemOf(error: unknown): unknown {
  if (error instanceof MalformedRequest) return new Problem('bad-request', error.message)
  if (error instanceof Overloaded)
    return new Problem('overloaded', error.message, { retryAfterSeconds: retrySoonSeconds })
  return error
}
