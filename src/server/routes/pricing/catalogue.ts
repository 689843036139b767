import Type from 'typebox'
import { type CatalogueDeps, describeCatalogue } from '../../../catalogue/describe-catalogue.ts'
import { CatalogueDescription } from '../../../catalogue/schema.ts'
import { findTypes } from '../../../pricing/instance-types/find-types.ts'
import { InstanceTypesView, TypeSearch } from '../../../pricing/instance-types/schema.ts'
import { listProviders } from '../../../pricing/list-providers.ts'
import type { PricingDeps } from '../../../pricing/market.ts'
import { ProvidersView } from '../../../pricing/schema.ts'
import { jsonContentType, sendUnlessKnown } from '../../requests/negotiation.ts'
import type { Routes } from '../../server.ts'

const ownJson = { contentType: jsonContentType, caching: 'private, no-cache' }

export function catalogueRoutes(deps: PricingDeps & CatalogueDeps): Routes {
  const config = { scope: 'pricing:read' } as const
  return (server) => {
    server.get('/catalogue', {
      config,
      schema: {
        tags: ['Catalogue'],
        summary: 'Show the sources and the age of prices',
        description:
          'Lists for each provider its offers, its sources with the dates of their prices, completed facts and quarantined prices.',
        response: {
          200: CatalogueDescription,
          304: Type.Unsafe<undefined>({ description: 'Nothing changed' }),
        },
      },
      handler: async (request, reply) => {
        const { json: body, etag } = describeCatalogue(deps)
        return sendUnlessKnown(request, reply, { ...ownJson, body, etag })
      },
    })
    server.get('/catalogue/types', {
      config,
      schema: {
        tags: ['Catalogue'],
        summary: 'Search instance types by name',
        description: 'For search as you type. Searches the built-in providers and your own marketplace.',
        querystring: TypeSearch,
        response: { 200: InstanceTypesView },
      },
      handler: async (request, reply) =>
        reply.send(await findTypes(deps, request.caller.organisation, request.query)),
    })
  }
}

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
          const { json: body, etag } = listProviders(deps)
          return sendUnlessKnown(request, reply, { ...ownJson, body, etag })
        },
      })
  }
}
