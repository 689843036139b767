import Type from 'typebox'
import { MachineDescription } from '../../catalogue/facts/schema.ts'
import { priceSources, usageTypes } from '../../domain/offer.ts'
import { nullable, number, optional, string, type View } from '../../domain/schema.ts'

export const PriceRuleNames = Type.Array(Type.String(), {
  description: 'Names of the price rules that changed the listed price, in order',
})

export type RawPricingData = View<typeof RawPricingData>
export const RawPricingData = Type.Object({
  term: nullable(Type.String()),
  architecture: nullable(Type.String()),
  gpu: nullable(Type.Object({ count: Type.Number(), name: Type.String() })),
  burstable_baseline: nullable(number('Share of each vCPU that can be sustained')),
  monthly_cap: nullable(
    number('Maximum cost of a month, by a cap or by sustained use discounts, in US dollars'),
  ),
  sku_ids: Type.Array(Type.String()),
  source: string('Where the price comes from'),
  day: nullable(string('Day of the price, YYYY-MM-DD')),
  price_source: Type.Enum([...priceSources], {
    description:
      "list: the provider's price list; rule: such a list and your price rules; own: your marketplace; base: base rates, an estimate",
  }),
  price_rules: optional(PriceRuleNames),
  ...MachineDescription.properties,
  registered: optional(Type.Unknown({ description: 'What was registered with a marketplace price' })),
  notes: optional(
    Type.Array(Type.String(), {
      description:
        'Only for the current instance in recommendations: its type is retired or will be, its price is assumed, or its usage exceeds its size',
    }),
  ),
})

export type InstancePricing = View<typeof InstancePricing>
export const InstancePricing = Type.Object({
  cpu_cores_cost_per_hour: number('US dollars per core and hour'),
  ram_gb_cost_per_hour: number('US dollars per GiB and hour'),
  cost_per_hour: number('US dollars per hour'),
  usage_type: Type.Enum([...usageTypes]),
  instance_type: Type.String(),
  region: Type.String(),
  provider: string('Display name'),
  service: Type.String(),
  operating_system: Type.String(),
  availability_zone: string('Blank if the price applies to the whole region'),
  raw_pricing_data: optional(RawPricingData),
})

export type Savings = View<typeof Savings>
export const Savings = Type.Object({
  percentage: number('Of the current price of an hour'),
  amount_per_hour: Type.Number(),
  amount_per_month: number(
    'A month costs 730 hours, or less if the provider caps its price or gives a discount for sustained use',
  ),
  amount_per_year: number('Of twelve months'),
})

export const OfferRecommendationView = Type.Record(
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
