import Type from 'typebox'
import { optional, string } from '../../../domain/schema.ts'
import type { Registration } from '../../../pricing/own-prices/check-registration.ts'
import { listMarketplace, listMarketplaceEntries } from '../../../pricing/own-prices/list-marketplace.ts'
import {
  type MarketplaceDeps,
  registerMarketplace,
  removeMarketplace,
} from '../../../pricing/own-prices/register-marketplace.ts'
import {
  CustomPricingEntrySchema,
  MarketplaceProviders,
  RegistrationBody,
  RegistrationResult,
  RemovalResult,
} from '../../../pricing/own-prices/schema.ts'
import { linkTo } from '../../requests/negotiation.ts'
import { largeBodyBytes, type Routes } from '../../server.ts'

const ProviderName = Type.Object({ name: Type.String({ maxLength: 256 }) })
const defaultPage = 100
const largestPage = 1000

/** An organisation's own prices; no other organisation sees them. */
export function marketplaceRoutes(deps: MarketplaceDeps): Routes {
  const tags = ['Marketplace']
  return (server) => {
    server.post('/marketplace/providers', {
      config: { scope: 'marketplace:write' },
      bodyLimit: largeBodyBytes,
      // The operation checks entry by entry, reports every fault, and yields to other requests meanwhile.
      validatorCompiler: () => (value: unknown) => ({ value }),
      schema: {
        tags,
        summary: 'Register your own prices',
        description:
          'Atomic: either all entries are registered or none. An entry with the same provider, service, region, zone, type, operating system and usage type replaces the previous price.',
        body: RegistrationBody,
        response: { 200: RegistrationResult },
      },
      handler: async (request, reply) => {
        const body = (request.body ?? {}) as Registration
        return reply.send(await registerMarketplace(deps, request.caller.organisation, body))
      },
    })
    server.get('/marketplace/providers', {
      config: { scope: 'pricing:read' },
      schema: {
        tags,
        summary: 'List your marketplace providers',
        description: 'One item per provider and service, sorted.',
        response: { 200: MarketplaceProviders },
      },
      handler: async (request, reply) => reply.send(await listMarketplace(deps, request.caller.organisation)),
    })
    server.get('/marketplace/providers/:name', {
      config: { scope: 'pricing:read', problems: ['not-found'] },
      schema: {
        tags,
        summary: 'List the entries of a marketplace provider',
        description:
          'Sorted by service, region, zone, type, operating system and usage type. The next page is in the Link header, rel="next".',
        params: ProviderName,
        querystring: Type.Object({
          limit: Type.Integer({ minimum: 1, maximum: largestPage, default: defaultPage }),
          cursor: optional(string('From the Link header', { maxLength: 8192 })),
        }),
        response: { 200: Type.Array(CustomPricingEntrySchema) },
      },
      handler: async (request, reply) => {
        const { name } = request.params
        const { entries, next } = await listMarketplaceEntries(
          deps,
          request.caller.organisation,
          name,
          request.query,
        )
        if (next !== undefined) reply.header('link', linkTo(request.url, { cursor: next }))
        return reply.send(entries)
      },
    })
    server.delete('/marketplace/providers/:name', {
      config: { scope: 'marketplace:write', problems: ['not-found'] },
      schema: {
        tags,
        summary: 'Remove a marketplace provider with all its entries',
        params: ProviderName,
        response: { 200: RemovalResult },
      },
      handler: async (request, reply) =>
        reply.send(await removeMarketplace(deps, request.caller.organisation, request.params.name)),
    })
  }
}
