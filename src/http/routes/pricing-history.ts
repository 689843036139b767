import Type from 'typebox'
import { terms, usageTypes } from '../../domain/offer.ts'
import { type PriceHistoryDeps, priceHistory } from '../../operations/price-history/price-history.ts'
import type { Routes } from '../server.ts'

const text = (description: string) => Type.String({ maxLength: 256, description })
const optional = (description: string) => Type.Optional(text(description))

const HistoryQuery = Type.Object({
  provider: text('Key, display name or alias of a provider'),
  region: text("The provider's own name of the region"),
  instance_type: text("The provider's own name of the type"),
  operating_system: optional('Linux or Windows; absent: both'),
  usage_type: optional(`${usageTypes.join(', ')}; absent: all`),
  availability_zone: optional('Only this zone; prices of the whole region stay. Absent: all'),
  term: optional(`Of reserved prices: ${terms.slice(1).join(', ')}; absent: all`),
  start_date: optional('RFC 3339; absent: 90 days before the end'),
  end_date: optional('RFC 3339; absent: now'),
})

const Price = Type.Union([Type.Number(), Type.Null()], {
  description: 'US dollars an hour; null: not on offer',
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
      term: Type.String({ description: 'Blank where it is not reserved' }),
      availability_zone: Type.String({ description: 'Blank where the price holds in the whole region' }),
      operating_system: Type.String(),
      cost_per_hour: Price,
      points: Type.Array(
        Type.Object({
          from: Type.String({
            description: 'From when the price held; a day alone where only that is known',
          }),
          cost_per_hour: Price,
        }),
        { description: 'The price at the start of the period, then each that followed' },
      ),
      last_30_days: Type.Optional(
        Type.Object(
          { minimum: Type.Number(), median: Type.Number(), maximum: Type.Number() },
          { description: 'Of spot prices; the median by time' },
        ),
      ),
    }),
    { description: 'By usage type, system, term, zone' },
  ),
})

export function pricingHistoryRoutes(deps: PriceHistoryDeps): Routes {
  return (server) => {
    server.get('/pricing/history', {
      config: {
        scope: 'pricing:read',
        problems: ['unknown-provider', 'unknown-region', 'unknown-instance-type', 'no-price'],
      },
      schema: {
        tags: ['Pricing'],
        summary: 'How did the price of this machine move?',
        description:
          'What each refresh of the price lists changed. Prices on demand and reserved are remembered for three years, spot prices for four months.',
        querystring: HistoryQuery,
        response: { 200: HistoryView },
      },
      handler: async (request, reply) =>
        reply.send(await priceHistory(deps, request.caller.organisation, request.query)),
    })
  }
}
