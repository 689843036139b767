import type { PricingDeps } from '../../operations/pricing/deps.ts'
import { priceInstance } from '../../operations/pricing/price-instance.ts'
import { ComputePriceView, PricingBody } from '../schemas/pricing.ts'
import type { Routes } from '../server.ts'

export function pricingRoutes(deps: PricingDeps): Routes {
  return (server) => {
    server.post('/pricing', {
      config: {
        scope: 'pricing:read',
        problems: ['unknown-provider', 'unknown-region', 'unknown-instance-type', 'no-price'],
      },
      schema: {
        tags: ['Pricing'],
        summary: 'Price an instance',
        description: 'The price of one instance, split into a price per core and a price per GiB of memory.',
        body: PricingBody,
        response: { 200: ComputePriceView },
      },
      handler: async (request, reply) =>
        reply.send(await priceInstance(deps, request.caller.organisation, request.body)),
    })
  }
}
