import Type from 'typebox'
import { refreshOutcomes } from '../../domain/manifest.ts'
import { nullable } from './nullable.ts'

const names = (description: string) => Type.Array(Type.String(), { description })

export const providerNames = {
  provider_key: Type.String(),
  provider: Type.String({ description: 'Display name' }),
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
  median_per_hour: nullable(Type.Number({ description: 'Median of the same type elsewhere' })),
  reason: Type.String(),
})

const CatalogueProviderView = Type.Object({
  ...providerNames,
  offers: Type.Integer(),
  types: Type.Integer(),
  regions: Type.Integer(),
  currency: Type.String({ description: 'The currency the provider states its prices in' }),
  oldest_day: nullable(Type.String({ description: 'Day of the oldest price, YYYY-MM-DD' })),
  newest_day: nullable(Type.String({ description: 'Day of the newest price, YYYY-MM-DD' })),
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
    }),
  ),
})

export const CatalogueView = Type.Object({
  id: Type.String({ description: 'Identifies the content' }),
  built_at: Type.String({ format: 'date-time' }),
  offers: Type.Integer(),
  exchange: nullable(ExchangeView),
  providers: Type.Array(CatalogueProviderView),
})

export const InstanceTypesView = Type.Array(
  Type.Object({
    ...providerNames,
    instance_type: Type.String(),
    cpu_cores: nullable(Type.Number()),
    ram_gb: nullable(Type.Number({ description: 'In GiB' })),
    architecture: Type.String({ description: 'Blank if not known' }),
    gpu: nullable(Type.Object({ count: Type.Number(), name: Type.String() })),
    regions: names('Regions that offer it'),
    operating_systems: names('Operating systems that it is offered with'),
    usage_types: names('Usage types that it is offered with'),
    cost_per_hour_from: nullable(Type.Number({ description: 'US dollars, its lowest on-demand price' })),
  }),
  { description: 'First names that begin with the text, then names that contain it; small types first' },
)
