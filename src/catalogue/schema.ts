import Type from 'typebox'
import { refreshOutcomes } from '../domain/manifest.ts'
import { integer, nullable, number, string, type View } from '../domain/schema.ts'

export const providerNames = {
  provider_key: Type.String(),
  provider: string('Display name'),
}

const ExchangeView = Type.Object({
  from: Type.String(),
  to: Type.String(),
  rate: Type.Number(),
  day: Type.String(),
  source: Type.String(),
})

const QuarantinedView = Type.Object({
  region: Type.String(),
  availability_zone: Type.String(),
  instance_type: Type.String(),
  operating_system: Type.String(),
  usage_type: Type.String(),
  term: Type.String(),
  cost_per_hour: Type.Number(),
  median_per_hour: nullable(number('Median of the same type elsewhere')),
  reason: Type.String(),
})

const CatalogueProviderView = Type.Object({
  ...providerNames,
  offers: Type.Integer(),
  types: Type.Integer(),
  regions: Type.Integer(),
  currency: string('The currency the provider states its prices in'),
  oldest_day: nullable(string('Day of the oldest price, YYYY-MM-DD')),
  newest_day: nullable(string('Day of the newest price, YYYY-MM-DD')),
  sources: Type.Array(Type.Object({ source: Type.String(), day: Type.String(), rows: Type.Integer() }), {
    description: 'Where the prices come from, and their day',
  }),
  filled: Type.Array(
    Type.Object({
      what: Type.String(),
      rule: Type.String(),
      types: Type.Integer(),
      offers: Type.Integer(),
    }),
    { description: 'Facts that are missing from the price list and were completed by a rule' },
  ),
  unknown_sizes: Type.Object(
    { offers: Type.Integer(), types: Type.Array(Type.String()) },
    { description: 'Types of unknown size: priced, but never candidates' },
  ),
  quarantined: Type.Array(QuarantinedView, {
    description: 'Prices that are left out because they are implausibly low',
  }),
  dropped: Type.Array(Type.Object({ reason: Type.String(), rows: Type.Integer(), example: Type.String() })),
  refresh: nullable(
    Type.Object({
      at: Type.String(),
      outcome: Type.Enum([...refreshOutcomes]),
      reason: Type.String(),
      fresh_at: nullable(Type.String()),
      notes: Type.Array(Type.String()),
      bytes: nullable(integer('Bytes that were read when the list was last read; null if not measured')),
    }),
  ),
})

export type CatalogueDescription = View<typeof CatalogueDescription>
export const CatalogueDescription = Type.Object({
  id: string('Identifies the content'),
  built_at: Type.String({ format: 'date-time' }),
  offers: Type.Integer(),
  exchange: nullable(ExchangeView),
  providers: Type.Array(CatalogueProviderView),
})
