import type { IncomingHttpHeaders } from 'node:http'
import type { RouteShorthandOptions } from 'fastify'
import Type from 'typebox'
import { Problem } from '../../../domain/problem.ts'
import { optional, string } from '../../../domain/schema.ts'
import { hourMs } from '../../../domain/time.ts'
import { Overloaded } from '../../../ingest/group-commit.ts'
import { sampleAgeLimits } from '../../../ingest/ingest-deps.ts'
import type { IngestThread } from '../../../ingest/ingest-thread.ts'
import { maxNamesBytes } from '../../../ingest/metrics/interpret.ts'
import { type MessageFormat, messageFormat, writtenHeaders } from '../../../ingest/remote-write/decode.ts'
import { defaultLimits, MalformedRequest } from '../../../ingest/remote-write/wire.ts'
import type { ReceiveSummary, Refusal } from '../../../ingest/request-validator.ts'
import { wholeBody } from '../../requests/body.ts'
import { largeBodyBytes, type Routes, type Server } from '../../server.ts'

const { maxLabelBytes, maxLabels } = defaultLimits
/** The cluster of series without a cluster label if the URL names none either. */
const defaultCluster = 'default'
const retrySoonSeconds = 1
/** Capacity for new series is freed only as old ones expire, so a retry within seconds is useless. */
const retryLaterSeconds = 60

export function remoteWriteRoutes(ingest: Pick<IngestThread, 'receive'>): Routes {
  return (server) => {
    registerBinary(server, (own) => {
      own.post('/api/v1/write', {
        ...samplesIn,
        schema: {
          tags: ['Usage'],
          summary: 'Send usage by Prometheus remote write',
          description:
            'Body: application/x-protobuf compressed with snappy, remote write 1.0 or 2.0. Metrics that the service does not use are ignored. ' +
            '204: all samples are stored. 400: some or all samples can never be accepted, the others are stored; ' +
            'X-Prometheus-Remote-Write-Samples-Written counts those stored. 429 and 503: some or all samples cannot be accepted now; ' +
            'send the whole request again after Retry-After; samples that are already stored count once.',
          querystring: Type.Object({
            cluster: optional(
              string('Cluster of series without a cluster label', { minLength: 1, maxLength: 200 }),
            ),
          }),
          response: { 204: Type.Null({ description: 'Stored.' }) },
        },
        handler: async (request, reply) => {
          const format = formatOf(request.headers)
          reply.headers(writtenHeaders(nothing))
          const { cluster = defaultCluster } = request.query as { cluster?: string }
          const pushed = {
            organisation: request.caller.organisation,
            format,
            cluster,
            body: (request.body ?? new Uint8Array()) as Uint8Array,
          }
          const received = await ingest.receive(pushed).catch((error: unknown) => {
            throw writeProblemOf(error)
          })
          const { oversized, tooOld, inTheFuture, histograms, exemplars, refused, refusal } = received
          const samples = received.samples - refused - oversized - tooOld - inTheFuture
          reply.headers(writtenHeaders({ samples, histograms, exemplars }))
          if (refusal !== undefined) throw laterProblem(refusal, received)
          if (samples < received.samples) throw new Problem('bad-request', leftOut(received))
          return reply.code(204).send(null)
        },
      })
    })
  }
}

/** Registers routes in a separate Fastify scope, so that no other route accepts binary bodies. */
export function registerBinary(server: Server, routes: Routes): void {
  server.register((own, _options, done) => {
    own.removeAllContentTypeParsers()
    own.addContentTypeParser(
      '*',
      wholeBody((_request, body, parsed) => parsed(null, body)),
    )
    routes(own)
    done()
  })
}

/** Throws a problem if the headers are not those of a remote write message. */
export function formatOf(headers: IncomingHttpHeaders): MessageFormat {
  const format = messageFormat(headers['content-type'], headers['content-encoding'])
  if (format !== undefined) return format
  throw new Problem(
    'unsupported-media-type',
    'Send application/x-protobuf compressed with snappy: prometheus.WriteRequest or io.prometheus.write.v2.Request.',
  )
}

/** Options of every route that receives samples. */
export const samplesIn = {
  config: {
    scope: 'usage:write',
    problems: ['bad-request', 'body-too-large', 'unsupported-media-type', 'too-many-series', 'overloaded'],
  },
  bodyLimit: largeBodyBytes,
} satisfies Pick<RouteShorthandOptions, 'config' | 'bodyLimit'>

const nothing = { samples: 0, histograms: 0, exemplars: 0 }

/** Remote write has no 2xx status for a partly refused request; 400 means not to retry it. */
function leftOut({ samples, oversized, tooOld, inTheFuture }: ReceiveSummary): string {
  const reasons = [
    [
      oversized,
      `with a label of more than ${maxLabelBytes} bytes, more than ${maxLabels} labels, ` +
        `or names of more than ${maxNamesBytes} bytes together, of which the cluster name counts as at least 800`,
    ],
    [tooOld, `older than ${sampleAgeLimits.maxAgeMs / hourMs} hours`],
    [inTheFuture, `more than ${sampleAgeLimits.maxAheadMs / 60_000} minutes ahead of the server's clock`],
  ] as const
  const texts = reasons.filter(([count]) => count > 0).map(([count, reason]) => `${count} ${reason}`)
  const stored =
    oversized + tooOld + inTheFuture < samples
      ? `Some of ${samples} samples were rejected; the others are stored`
      : `None of ${samples} samples is stored`
  return `${stored}: ${texts.join('; ')}.`
}

/** The client sends the whole request again. Samples that were stored the first time are recognised and counted once. */
export function laterProblem(
  { code, message }: Refusal,
  { samples, refused }: Pick<ReceiveSummary, 'samples' | 'refused'>,
): Problem {
  const detail = `${refused} of ${samples} samples belong to new series and were rejected: ${message}. The others are stored.`
  return new Problem(code, detail, { retryAfterSeconds: retryLaterSeconds })
}

export function writeProblemOf(error: unknown): unknown {
  if (error instanceof MalformedRequest) return new Problem('bad-request', error.message)
  if (error instanceof Overloaded)
    return new Problem('overloaded', error.message, { retryAfterSeconds: retrySoonSeconds })
  return error
}
