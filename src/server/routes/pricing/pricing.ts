import { orProblem } from '../../../domain/not-found.ts'
import { ComputePrice } from '../../../pricing/compute/schema.ts'
import { type PriceHistoryDeps, priceHistory } from '../../../pricing/history/price-history.ts'
import { PriceHistory, PriceHistoryQuery } from '../../../pricing/history/schema.ts'
import type { PricingDeps } from '../../../pricing/market.ts'
import { priceInstance } from '../../../pricing/price-instance.ts'
import { PricingBody } from '../../../pricing/request/schema.ts'
import type { Routes } from '../../server.ts'

export const priceRouteConfig = {
  scope: 'pricing:read',
  problems: ['unknown-provider', 'unknown-region', 'unknown-instance-type', 'no-price'],
} as const

export function pricingRoutes(deps: PricingDeps): Routes {
  return (server) => {
    server.post('/pricing', {
      config: priceRouteConfig,
      schema: {
        tags: ['Pricing'],
        summary: 'Price an instance',
        description:
          'Returns the price of one instance, split into a price per core and a price per GiB of memory.',
        body: PricingBody,
        response: { 200: ComputePrice },
      },
      handler: async (request, reply) =>
        reply.send(orProblem(await priceInstance(deps, request.caller.organisation, request.body))),
    })
  }
}

export function pricingHistoryRoutes(deps: PriceHistoryDeps): Routes {
  return (server) => {
    server.get('/pricing/history', {
      config: priceRouteConfig,
      schema: {
        tags: ['Pricing'],
        summary: 'Show the price history of an instance type',
        description:
          'Returns every change that a refresh of the price lists found. On-demand and reserved prices are kept for three years, spot prices for four months.',
        querystring: PriceHistoryQuery,
        response: { 200: PriceHistory },
      },
      handler: async (request, reply) =>
        reply.send(orProblem(await priceHistory(deps, request.caller.organisation, request.query))),
    })
  }
}
