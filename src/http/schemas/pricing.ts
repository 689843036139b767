import Type from 'typebox'
import { changeNames } from '../../domain/machine-description.ts'
import { acceleratorKinds, generations, speedBases, vcpuKinds } from '../../domain/machine-facts.ts'
import { priceSources, usageTypes } from '../../domain/offer.ts'
import {
  defaultLimit,
  defaultOffersPerType,
  maxGroups,
  maxOffersPerType,
  performances,
} from '../../market/request.ts'
import { nullable } from './nullable.ts'

const text = (description: string) => Type.String({ maxLength: 256, description })
const amount = (description: string) => Type.Number({ minimum: 0, maximum: 1_000_000, description })
const names = (description: string) =>
  Type.Optional(Type.Array(Type.String({ maxLength: 256 }), { maxItems: 1000, description }))
const share = (description: string) =>
  Type.Optional(Type.Number({ exclusiveMinimum: 0, maximum: 1, description }))

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
  include_metadata: Type.Optional(
    Type.Boolean({
      description:
        'Add raw_pricing_data to each price. It never changes which items are returned. Default: false',
    }),
  ),
  fallback_to_base_pricing: Type.Optional(
    Type.Boolean({
      description: 'Use base rates for what no price list has, instead of returning 404. Default: false',
    }),
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
    near: Type.Optional(
      text(
        'A region of any provider, a city, or "latitude,longitude": only regions within distance_km of it',
      ),
    ),
    distance_km: Type.Optional(
      Type.Number({
        exclusiveMinimum: 0,
        maximum: 20_100,
        description:
          'Maximum distance of regions from `near` or from the current region; default: 1000 if `near` is given',
      }),
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
  performance: Type.Optional(
    Type.Enum([...performances], {
      description:
        'Slower cores always count for less. equivalent: faster cores count for more, so fewer are needed. Default: conservative',
    }),
  ),
  target_utilisation: Type.Optional(
    Type.Object(
      { cpu: share('Of the cores'), ram: share('Of the memory') },
      { description: 'Maximum utilisation of a candidate with this usage; default: 0.8' },
    ),
  ),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: maxGroups,
      description: `Types in the response; default: ${defaultLimit}`,
    }),
  ),
  offers_per_type: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: maxOffersPerType,
      description: `Offers of each type; default: ${defaultOffersPerType}`,
    }),
  ),
})

export const PricingBody = Type.Object({
  ...instance,
  availability_zone: Type.Optional(zone),
  service: Type.Optional(service),
  vm: Type.Optional(vm),
  ...additions,
})

/** Facts about a machine other than its price. */
export const machineDescription = {
  accelerator_kind: nullable(Type.Enum([...acceleratorKinds])),
  vcpu_kind: nullable(Type.Enum([...vcpuKinds])),
  kinds: Type.Array(Type.String(), { description: 'Special kinds, such as bare-metal or storage-optimised' }),
  generation: Type.Enum([...generations]),
  ends_on: nullable(Type.String({ description: 'Day on which the provider retires the type' })),
  speed: nullable(
    Type.Object({
      coremark_per_vcpu: Type.Integer({ description: 'CoreMark iterations a second' }),
      basis: Type.Enum([...speedBases]),
      borrowed_from: nullable(Type.String()),
    }),
  ),
  processor: nullable(Type.String({ description: 'As the guest sees it' })),
  local_disk: nullable(
    Type.Object({ gib: nullable(Type.Number()), kind: Type.String(), is_root: Type.Boolean() }),
  ),
  network: nullable(
    Type.Object({ baseline_gbps: nullable(Type.Number()), max_gbps: nullable(Type.Number()) }),
  ),
  spot_interruption: nullable(
    Type.Object({
      band: Type.String({ description: 'Share of spot instances that are interrupted in a month' }),
      as_of: Type.String(),
    }),
  ),
  carbon: nullable(
    Type.Object({
      grams_co2e_per_hour: Type.Number({
        description: 'For running at half load, without cooling and without manufacturing of the server',
      }),
      low: Type.Number(),
      high: Type.Number(),
      method: Type.String(),
      grid: Type.String(),
      grid_year: nullable(Type.Integer()),
    }),
  ),
  changes: Type.Optional(
    Type.Array(Type.Enum([...changeNames]), { description: 'Differences from the current instance' }),
  ),
  performance: Type.Optional(
    nullable(
      Type.Object(
        {
          ratio: Type.Number(),
          low: Type.Number(),
          high: Type.Number(),
          basis: Type.Enum([...speedBases]),
        },
        {
          description:
            'Speed of a vCPU relative to one of the current instance; burstable vCPUs count at their baseline',
        },
      ),
    ),
  ),
}

const InstancePricingView = Type.Object({
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
  raw_pricing_data: Type.Optional(
    Type.Object({
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
        description: "list: the provider's price list; own: your marketplace; base: base rates, an estimate",
      }),
      ...machineDescription,
      registered: Type.Optional(
        Type.Unknown({ description: 'What was registered with a marketplace price' }),
      ),
      notes: Type.Optional(
        Type.Array(Type.String(), {
          description:
            'Only for the current instance in recommendations: its type is retired or will be, its price is assumed, or its usage exceeds its size',
        }),
      ),
    }),
  ),
})

export const ComputePriceView = Type.Object({
  ...InstancePricingView.properties,
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

export const SavingsView = Type.Object({
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
      instance_pricing: InstancePricingView,
      vm: nullable(Type.Object({ cpu_cores: Type.Number(), ram_gb: Type.Number() })),
      savings: SavingsView,
    }),
  ),
  {
    description: 'First the current instance under `base`, then one group per instance type, cheapest first',
  },
)

const list = Type.Array(Type.String())

export const ProvidersView = Type.Record(
  Type.String(),
  Type.Object({
    provider: Type.String({ description: 'Display name' }),
    predicates: Type.Object({
      regions: list,
      usage_types: list,
      availability_zones: list,
      providers: list,
      operating_systems: list,
      services: list,
    }),
  }),
  { description: 'By lower-case provider key' },
)
