import Type from 'typebox'
import { integer, optional, string } from '../../../domain/schema.ts'
import type { MetricsCache } from '../../../recommendations/metrics/metrics-cache.ts'
import { CallerGone, type HeavyReads, heavyReadProblems } from '../../heavy-reads.ts'
import type { Routes } from '../../server.ts'

const mediaType = 'text/plain'

const MetricsOfOrganisationQuery = Type.Object({
  days: integer('Days of usage from which sizes and spend are computed', {
    minimum: 1,
    maximum: 90,
    default: 14,
  }),
  cluster: optional(string('Only this cluster, and no machines', { minLength: 1, maxLength: 2300 })),
  limit: integer('At most this many each of containers, namespaces, nodes and machines, in order of name', {
    minimum: 1,
    maximum: 50_000,
    default: 10_000,
  }),
})

export function exportMetricsRoutes(cache: MetricsCache, reads: HeavyReads): Routes {
  return (server) => {
    server.get('/v1/metrics', {
      config: { scope: 'gateway:read', produces: [mediaType], problems: heavyReadProblems },
      schema: {
        tags: ['Gateway'],
        summary: 'Export recommendations as metrics for Prometheus',
        description:
          'Current and recommended requests of containers, spend and savings of namespaces, prices of nodes, sizes of machines, all of ' +
          'your organisation. Usage of containers counts up to the last full hour. Calculated at most every five minutes; during the calculation, the last result is returned. ' +
          'cheapside_metrics_left_out counts the objects that are left out because of the limit.',
        querystring: MetricsOfOrganisationQuery,
        response: { 200: string('Prometheus text format') },
      },
      handler: async (request, reply) => {
        const { days, cluster, limit } = request.query
        const gone = new AbortController()
        reply.raw.once('close', () =>
          gone.abort(new CallerGone('the client is no longer waiting for the metrics')),
        )
        const pieces = await cache.text(request.caller.organisation, { days, cluster, limit }, gone.signal)
        reply.header('content-type', `${mediaType}; version=0.0.4; charset=utf-8`)
        return reads.send(request, reply, pieces)
      },
    })
  }
}
