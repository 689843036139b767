import Type from 'typebox'
import { string } from '../../../domain/schema.ts'
import type { HttpMetrics } from '../../metrics.ts'
import type { Readiness } from '../../readiness.ts'
import type { Routes } from '../../server.ts'

/** Probes and metrics for orchestrators and monitoring. They need no key and name no organisation. */
export function healthRoutes(readiness: Readiness, metrics: HttpMetrics): Routes {
  const config = { scope: 'none' } as const
  return (server) => {
    for (const path of ['/healthz', '/v1/healthz'])
      server.get(path, {
        config,
        schema: {
          tags: ['Operation'],
          summary: 'Check that the process is alive',
          response: { 200: Type.Object({ status: Type.Literal('ok') }) },
        },
        handler: async (_, reply) => reply.send({ status: 'ok' }),
      })
    server.get('/readyz', {
      config,
      schema: {
        tags: ['Operation'],
        summary: 'Check that this node accepts requests',
        description:
          'Returns 503 with the reason while the node is starting or draining and while the database is unavailable.',
        response: {
          200: Type.Object({ status: Type.Literal('ready') }),
          503: Type.Object({
            status: Type.Literal('not ready'),
            troubles: Type.Record(Type.String(), Type.String()),
          }),
        },
      },
      handler: async (_, reply) => {
        const troubles = readiness.troubles()
        if (Object.keys(troubles).length === 0) return reply.send({ status: 'ready' })
        return reply.code(503).header('retry-after', '1').send({ status: 'not ready', troubles })
      },
    })
    server.get('/metrics', {
      config: { ...config, produces: ['text/plain', 'application/openmetrics-text'] },
      schema: {
        tags: ['Operation'],
        summary: 'Return the metrics of this node for Prometheus',
        response: { 200: string('Prometheus text format') },
      },
      handler: async (_, reply) =>
        reply.header('content-type', metrics.registry.contentType).send(await metrics.write()),
    })
  }
}
