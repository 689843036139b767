import Type from 'typebox'
import { boolean, nullable, number, optional, string, type View } from '../../domain/schema.ts'
import { InstancePricing, Savings } from '../answer/schema.ts'
import { PredicatesSchema, PricingBody, RecommendationBody } from '../request/schema.ts'

export type ComputePrice = View<typeof ComputePrice>
export const ComputePrice = Type.Object({
  ...InstancePricing.properties,
  id: string('A UUID; the id of the entry if the price is from your marketplace'),
  architecture: string('Blank if not known'),
  cpu_cores: Type.Number(),
  ram_gb: number('In GiB'),
  period_billing_hours: number('Hours that are bought at once: 1, or all hours of a term'),
  currency: Type.Literal('USD'),
  native_cost_per_hour: number('In the currency'),
  gpu_count: Type.Number(),
  gpu_type: Type.String(),
  gpu_cost_per_hour: number('US dollars per GPU and hour'),
  tags: Type.Record(Type.String(), Type.String(), {
    description:
      'availability_zone_requested, if the requested zone has no price under that name and the cheapest zone of the region is used',
  }),
  created_at: nullable(string('Day of the price; null for a marketplace price')),
  updated_at: nullable(Type.String()),
})

const members = RecommendationBody.properties
const { cpu_cores, ram_gb } = members.vm.properties
const Size = Type.Object({ cpu_cores: optional(cpu_cores), ram_gb: optional(ram_gb) })
const names = (description: string) =>
  optional(Type.Array(Type.String({ maxLength: 256 }), { maxItems: 1000, description }))

/** An instance as the compute endpoints take it. Only what is needed to find its price is required. */
export type ComputeInstance = View<typeof InstanceBody>
export const InstanceBody = Type.Object({
  id: optional(string('Your own name of the instance; ignored', { maxLength: 256 })),
  provider: optional(members.provider),
  service: optional(members.service),
  region: optional(members.region),
  availability_zone: optional(members.availability_zone),
  instance_type: optional(members.instance_type),
  operating_system: optional(members.operating_system),
  usage_type: optional(members.usage_type),
  vm: optional(Size),
  include_metadata: PricingBody.properties.include_metadata,
  fallback_to_base_pricing: members.fallback_to_base_pricing,
  use_base_pricing: optional(boolean('The same as fallback_to_base_pricing')),
})

/** The request of POST /recommendations, with the instance in a member of its own. */
export type ComputeQuestion = View<typeof ComputeQuestionBody>
export const ComputeQuestionBody = Type.Object({
  instance: InstanceBody,
  usage: optional(Size),
  predicates: optional(
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
      vm: optional(Type.Object({ cpu_cores: Type.Number(), ram_gb: Type.Number() })),
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
