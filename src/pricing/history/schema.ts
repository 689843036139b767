import Type from 'typebox'
import { terms, usageTypes } from '../../domain/offer.ts'
import { nullable, string, type View } from '../../domain/schema.ts'

const text = (description: string) => string(description, { maxLength: 256 })
const optional = (description: string) => Type.Optional(text(description))

export type PriceHistoryQuery = View<typeof PriceHistoryQuery>
export const PriceHistoryQuery = Type.Object({
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

const Price = nullable(Type.Number(), 'US dollars per hour; null while it is not offered')

export type PricePoint = View<typeof PricePoint>
export const PricePoint = Type.Object({
  from: string('Start of validity; a date without time if only that is known'),
  cost_per_hour: Price,
})

export type PriceSpread = View<typeof PriceSpread>
export const PriceSpread = Type.Object(
  { minimum: Type.Number(), median: Type.Number(), maximum: Type.Number() },
  { description: 'Spot prices only; the median weighted by time' },
)

export type PriceSeries = View<typeof PriceSeries>
export const PriceSeries = Type.Object({
  usage_type: Type.Enum([...usageTypes]),
  term: string('Blank for prices that are not reserved'),
  availability_zone: string('Blank if the price applies to the whole region'),
  operating_system: Type.String(),
  cost_per_hour: Price,
  points: Type.Array(PricePoint, {
    description: 'The price at the start of the period, followed by every change',
  }),
  last_30_days: Type.Optional(PriceSpread),
})

export type PriceHistory = View<typeof PriceHistory>
export const PriceHistory = Type.Object({
  provider: string('Display name'),
  region: Type.String(),
  instance_type: Type.String(),
  start_date: Type.String({ format: 'date-time' }),
  end_date: Type.String({ format: 'date-time' }),
  series: Type.Array(PriceSeries, { description: 'Sorted by usage type, operating system, term and zone' }),
})
