import Type from 'typebox'
import {
  ComputePriceView,
  PredicatesSchema,
  PricingBody,
  RecommendationBody,
  SavingsView,
} from './pricing.ts'

const members = RecommendationBody.properties
const { cpu_cores, ram_gb } = members.vm.properties
const Size = Type.Object({ cpu_cores: Type.Optional(cpu_cores), ram_gb: Type.Optional(ram_gb) })
const names = (description: string) =>
  Type.Optional(Type.Array(Type.String({ maxLength: 256 }), { maxItems: 1000, description }))

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
      instance_pricing: ComputePriceView,
      vm: Type.Optional(Type.Object({ cpu_cores: Type.Number(), ram_gb: Type.Number() })),
      savings: SavingsView,
    }),
  ),
  {
    description: 'First the current instance under `base`, then one group per instance type, cheapest first',
  },
)

export const CheapestByProviderView = Type.Array(
  Type.Object({ pricing: ComputePriceView, savings: SavingsView }),
  { description: 'The cheapest offer of each provider, cheapest first' },
)
