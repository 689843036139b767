import Type from 'typebox'
import { usageTypes } from '../../domain/offer.ts'
import { boolean, integer, number, optional, string } from '../../domain/schema.ts'
import { defaultLimit, defaultOffersPerType, maxGroups, maxOffersPerType, performances } from './bounds.ts'

const text = (description: string) => string(description, { maxLength: 256 })
const amount = (description: string) => number(description, { minimum: 0, maximum: 1_000_000 })
const names = (description: string) =>
  optional(Type.Array(Type.String({ maxLength: 256 }), { maxItems: 1000, description }))
const share = (description: string) => optional(number(description, { exclusiveMinimum: 0, maximum: 1 }))

const Resources = (description: string) =>
  Type.Object({ cpu_cores: amount('In cores'), ram_gb: amount('In GiB') }, { description })

const instance = {
  provider: text(
    'Key, display name or alias of a provider, or the name of one of your marketplace providers, in any letter case',
  ),
  region: text("The provider's name of the region"),
  instance_type: text("The provider's name of the type, or a custom type if the provider has them"),
  operating_system: text('Linux or Windows, by their usual names; blank is Linux'),
  usage_type: text(`${usageTypes.join(', ')} in any letter case, and their usual names`),
}
const zone = text(
  'Zone of the instance, as GET /providers lists it; matters for spot prices. If blank or not listed: the cheapest zone of the region',
)
const service = text('The cloud service, such as AmazonEC2; if blank, the only one')
const vm = Resources('Size of the instance; must be above zero if it is priced at base rates')
const additions = {
  include_metadata: optional(
    boolean('Add raw_pricing_data to each price. It never changes which items are returned. Default: false'),
  ),
  fallback_to_base_pricing: optional(
    boolean('Use base rates for what no price list has, instead of returning 404. Default: false'),
  ),
}

export const PredicatesSchema = Type.Object(
  {
    availability_zones: names(
      'Offers in these zones, and offers that apply to the whole region of such a zone. Zones with their own prices have ' +
        'the names that GET /providers lists, which may be zone ids (use1-az1). A name such as us-east-1a is a different zone ' +
        'in each account, so it means all zones of its region, and the header Cheapside-Scope lists them',
    ),
    instance_types: names('Offers of these types, even if they are of another kind or retired'),
    providers: names('Offers of these providers, by any of their names, including marketplace providers'),
    regions: names(
      'Offers in these regions. Default: regions of the same continent and partition (commercial, government, China, sovereign) as the current one; "*": all',
    ),
    usage_types: names('Offers of these usage types. Default: that of the current instance; "*": all'),
    architectures: names('x86_64 or arm64. Default: the architecture of the current instance; "*": any'),
    interconnects: names(
      'infiniband: only machines with it. Default: between machines with the same accelerators it may differ, which is marked',
    ),
    near: optional(
      text(
        'A region of any provider, a city, or "latitude,longitude": only regions within distance_km of it',
      ),
    ),
    distance_km: optional(
      number(
        'Maximum distance of regions from `near` or from the current region; default: 1000 if `near` is given',
        { exclusiveMinimum: 0, maximum: 20_100 },
      ),
    ),
  },
  {
    additionalProperties: false,
    description:
      'Limits of the candidates. An empty or absent array means: the same as the current instance. "*" removes the limit. An unknown member is refused.',
  },
)

export const RecommendationBody = Type.Object({
  ...instance,
  availability_zone: zone,
  service,
  vm,
  usage: Resources('Actual usage of the instance'),
  predicates: PredicatesSchema,
  ...additions,
  performance: optional(
    Type.Enum([...performances], {
      description:
        'Slower cores always count for less. equivalent: faster cores count for more, so fewer are needed. Default: conservative',
    }),
  ),
  target_utilisation: optional(
    Type.Object(
      { cpu: share('Of the cores'), ram: share('Of the memory') },
      { description: 'Maximum utilisation of a candidate with this usage; default: 0.8' },
    ),
  ),
  limit: optional(
    integer(`Types in the response; default: ${defaultLimit}`, { minimum: 1, maximum: maxGroups }),
  ),
  offers_per_type: optional(
    integer(`Offers of each type; default: ${defaultOffersPerType}`, {
      minimum: 1,
      maximum: maxOffersPerType,
    }),
  ),
})

export const PricingBody = Type.Object({
  ...instance,
  availability_zone: optional(zone),
  service: optional(service),
  vm: optional(vm),
  ...additions,
})
