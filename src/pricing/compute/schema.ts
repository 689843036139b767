import Type from 'typebox'
import { nullable, type View } from '../../domain/schema.ts'
import { InstancePricing, Savings } from '../answer/schema.ts'
import { PredicatesSchema, PricingBody, RecommendationBody } from '../request/schema.ts'

export type ComputePrice = View<typeof ComputePrice>
export const ComputePrice = Type.Object({
  ...InstancePricing.properties,
  id: Type.String({ description: 'A UUID; the id of the entry if the price is from your marketplace' }),
  architecture: Type.String({ description: 'Blank if not known' }),
  cpu_cores: Type.Number(),
  ram_gb: Type.Number({ description: 'In GiB' }),
  period_billing_hours: Type.Number({
    description: 'Hours that are bought at once: 1, or all hours of a term',
  }),
  currency: Type.Literal('USD'),
  native_cost_per_hour: Type.Number({ description: 'In the currency' }),
  gpu_count: Type.Number(),
  gpu_type: Type.String(),
  gpu_cost_per_hour: Type.Number({ description: 'US dollars per GPU and hour' }),
  tags: Type.Record(Type.String(), Type.String(), {
    description:
      'availability_zone_requested, if the requested zone has no price under that name and the cheapest zone of the region is used',
  }),
  created_at: nullable(Type.String({ description: 'Day of the price; null for a marketplace price' })),
  updated_at: nullable(Type.String()),
})

const members = RecommendationBody.properties
const { cpu_cores, ram_gb } = members.vm.properties
const Size = Type.Object({ cpu_cores: Type.Optional(cpu_cores), ram_gb: Type.Optional(ram_gb) })
const names = (description: string) =>
  Type.Optional(Type.Array(Type.String({ maxLength: 256 }), { maxItems: 1000, description }))

/** An instance as the compute endpoints take it. Only what is needed to find its price is required. */
export type ComputeInstance = View<typeof InstanceBody>
export const InstanceBody = Type.Object({
  id: Type.Optional(Type.String({ maxLength: 256, description: 'Your own name of the instance; ignored' })),
  provider: Type.Optional(members.provider),
  service: Type.Optional(members.service),
  region: Type.Optional(members.region),
  availability_zone: Type.Optional(members.availability_zone),
  instance_type: Type.Optional(members.instance_type),
  operating_system: Type.Optional(members.operating_system),
  usage_type: Type.Optional(members.usage_type),
  vm: Type.Optional(Size),
  include_metadata: PricingBody.properties.include_metadata,
  fallback_to_base_pricing: members.fallback_to_base_pricing,
  use_base_pricing: Type.Optional(Type.Boolean({ description: 'The same as fallback_to_base_pricing' })),
})

/** The request of POST /recommendations, with the instance in a member of its own. */
export type ComputeQuestion = View<typeof ComputeQuestionBody>
export const ComputeQuestionBody = Type.Object({
  instance: InstanceBody,
  usage: Type.Optional(Size),
  predicates: Type.Optional(
    Type.Object(
      {
        ...PredicatesSchema.properties,
        services: names('Offers of these services, such as AmazonEC2'),
        operating_systems: names(
          'Offers with the current operating system if it is one of these, otherwise with the first of them',
        ),
      },
      { additionalProperties: false },
    ),
  ),
  include_metadata: members.include_metadata,
  performance: members.performance,
  target_utilisation: members.target_utilisation,
  limit: members.limit,
  offers_per_type: members.offers_per_type,
})

export const ComputeRecommendationView = Type.Record(
  Type.String(),
  Type.Array(
    Type.Object({
      instance_pricing: ComputePrice,
      vm: Type.Optional(Type.Object({ cpu_cores: Type.Number(), ram_gb: Type.Number() })),
      savings: Savings,
    }),
  ),
  {
    description: 'First the current instance under `base`, then one group per instance type, cheapest first',
  },
)

export type CheapestOfProvider = View<typeof CheapestOfProvider>
export const CheapestOfProvider = Type.Object({ pricing: ComputePrice, savings: Savings })

export const CheapestByProviderView = Type.Array(CheapestOfProvider, {
  description: 'The cheapest offer of each provider, cheapest first',
})
