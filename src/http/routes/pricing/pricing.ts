import Type from 'typebox'
import { terms, usageTypes } from '../../../domain/offer.ts'
import type { PricingDeps } from '../../../market/market.ts'
import { type PriceHistoryDeps, priceHistory } from '../../../operations/price-history.ts'
import { priceInstance } from '../../../operations/price-instance.ts'
import { ComputePriceView, PricingBody } from '../../schemas/pricing.ts'
import type { Routes } from '../../server.ts'

/** The scope that a price of a machine requires, and the problems if there is none. */
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
        response: { 200: ComputePriceView },
      },
      handler: async (request, reply) =>
        reply.send(await priceInstance(deps, request.caller.organisation, request.body)),
    })
  }
}

const text = (description: string) => Type.String({ maxLength: 256, description })
const optional = (description: string) => Type.Optional(text(description))

const HistoryQuery = Type.Object({
  provider: text('Key, display name or alias of a provider'),
  region: text("The provider's name of the region"),
  instance_type: text("The provider's name of the type"),
  operating_system: optional('Linux or Windows; default: both'),
  usage_type: optional(`${usageTypes.join(', ')}; default: all`),
  availability_zone: optional(
    'Only this zone, and prices that apply to the whole region; default: all zones',
  ),
  term: optional(`Term of reserved prices: ${terms.slice(1).join(', ')}; default: all`),
  start_date: optional('RFC 3339; default: 90 days before the end'),
  end_date: optional('RFC 3339; default: now'),
})

const Price = Type.Union([Type.Number(), Type.Null()], {
  description: 'US dollars per hour; null while it is not offered',
})

const HistoryView = Type.Object({
  provider: Type.String({ description: 'Display name' }),
  region: Type.String(),
  instance_type: Type.String(),
  start_date: Type.String({ format: 'date-time' }),
  end_date: Type.String({ format: 'date-time' }),
  series: Type.Array(
    Type.Object({
      usage_type: Type.Enum([...usageTypes]),
      term: Type.String({ description: 'Blank for prices that are not reserved' }),
      availability_zone: Type.String({ description: 'Blank if the price applies to the whole region' }),
      operating_system: Type.String(),
      cost_per_hour: Price,
      points: Type.Array(
        Type.Object({
          from: Type.String({
            description: 'Start of validity; a date without time if only that is known',
          }),
          cost_per_hour: Price,
        }),
        { description: 'The price at the start of the period, followed by every change' },
      ),
      last_30_days: Type.Optional(
        Type.Object(
          { minimum: Type.Number(), median: Type.Number(), maximum: Type.Number() },
          { description: 'Spot prices only; the median weighted by time' },
        ),
      ),
    }),
    { description: 'Sorted by usage type, operating system, term and zone' },
  ),
})

export function pricingHistoryRoutes(deps: PriceHistoryDeps): Routes {
  return (server) => {
    server.get('/pricing/history', {
      config: priceRouteConfig,
      schema: {
        tags: ['Pricing'],
        summary: 'Show the price history of an instance type',
        description:
          'Returns every change that a refresh of the price lists found. On-demand and reserved prices are kept for three years, spot prices for four months.',
        querystring: HistoryQuery,
        response: { 200: HistoryView },
      },
      handler: async (request, reply) =>
        reply.send(await priceHistory(deps, request.caller.organisation, request.query)),
    })
  }
}
