import Type from 'typebox'
import { MachineDescription } from '../../catalogue/facts/schema.ts'
import { priceSources, usageTypes } from '../../domain/offer.ts'
import { nullable, type View } from '../../domain/schema.ts'

export const PriceRuleNames = Type.Array(Type.String(), {
  description: 'Names of the price rules that changed the listed price, in order',
})

export type RawPricingData = View<typeof RawPricingData>
export const RawPricingData = Type.Object({
  term: nullable(Type.String()),
  architecture: nullable(Type.String()),
  gpu: nullable(Type.Object({ count: Type.Number(), name: Type.String() })),
  burstable_baseline: nullable(Type.Number({ description: 'Share of each vCPU that can be sustained' })),
  monthly_cap: nullable(
    Type.Number({
      description: 'Maximum cost of a month, by a cap or by sustained use discounts, in US dollars',
    }),
  ),
  sku_ids: Type.Array(Type.String()),
  source: Type.String({ description: 'Where the price comes from' }),
  day: nullable(Type.String({ description: 'Day of the price, YYYY-MM-DD' })),
  price_source: Type.Enum([...priceSources], {
    description:
      "list: the provider's price list; rule: such a list and your price rules; own: your marketplace; base: base rates, an estimate",
  }),
  price_rules: Type.Optional(PriceRuleNames),
  ...MachineDescription.properties,
  registered: Type.Optional(Type.Unknown({ description: 'What was registered with a marketplace price' })),
  notes: Type.Optional(
    Type.Array(Type.String(), {
      description:
        'Only for the current instance in recommendations: its type is retired or will be, its price is assumed, or its usage exceeds its size',
    }),
  ),
})

export type InstancePricing = View<typeof InstancePricing>
export const InstancePricing = Type.Object({
  cpu_cores_cost_per_hour: Type.Number({ description: 'US dollars per core and hour' }),
  ram_gb_cost_per_hour: Type.Number({ description: 'US dollars per GiB and hour' }),
  cost_per_hour: Type.Number({ description: 'US dollars per hour' }),
  usage_type: Type.Enum([...usageTypes]),
  instance_type: Type.String(),
  region: Type.String(),
  provider: Type.String({ description: 'Display name' }),
  service: Type.String(),
  operating_system: Type.String(),
  availability_zone: Type.String({ description: 'Blank if the price applies to the whole region' }),
  raw_pricing_data: Type.Optional(RawPricingData),
})

export type Savings = View<typeof Savings>
export const Savings = Type.Object({
  percentage: Type.Number({ description: 'Of the current price of an hour' }),
  amount_per_hour: Type.Number(),
  amount_per_month: Type.Number({
    description:
      'A month costs 730 hours, or less if the provider caps its price or gives a discount for sustained use',
  }),
  amount_per_year: Type.Number({ description: 'Of twelve months' }),
})

export const RecommendationView = Type.Record(
  Type.String(),
  Type.Array(
    Type.Object({
      instance_pricing: InstancePricing,
      vm: nullable(Type.Object({ cpu_cores: Type.Number(), ram_gb: Type.Number() })),
      savings: Savings,
    }),
  ),
  {
    description: 'First the current instance under `base`, then one group per instance type, cheapest first',
  },
)
