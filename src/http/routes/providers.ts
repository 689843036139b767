import Type from 'typebox'
import { listProviders } from '../../operations/catalogue/list-providers.ts'
import type { PricingDeps } from '../../operations/pricing/deps.ts'
import { jsonContentType, matchesEntityTag } from '../requests/negotiation.ts'
import { ProvidersView } from '../schemas/pricing.ts'
import type { Routes } from '../server.ts'

export function providerRoutes(deps: Pick<PricingDeps, 'catalogue' | 'providers'>): Routes {
  return (server) => {
    for (const path of ['/providers', '/v1/providers'])
      server.get(path, {
        config: { scope: 'pricing:read' },
        schema: {
          tags: ['Pricing'],
          summary: 'List providers and the filter values of each',
          description:
            'Reflects the loaded catalogue. Send the ETag in If-None-Match to get 304 while nothing has changed.',
          response: { 200: ProvidersView, 304: Type.Unsafe<undefined>({ description: 'Nothing changed' }) },
        },
        handler: async (request, reply) => {
          const { json, etag } = listProviders(deps)
          reply.header('etag', etag).header('cache-control', 'private, no-cache')
          if (matchesEntityTag(request.headers['if-none-match'], etag)) return reply.code(304).send(undefined)
          return reply.header('content-type', jsonContentType).send(json)
        },
      })
  }
}
