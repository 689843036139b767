import Type from 'typebox'
import { generations } from '../../domain/machine-facts.ts'
import { typeSorts } from '../../operations/instance-types/list-types.ts'
import { providerNames } from './catalogue.ts'
import { OptionView } from './comparisons.ts'
import { nullable } from './nullable.ts'
import { machineDescription } from './pricing.ts'

const text = (description: string) => Type.Optional(Type.String({ maxLength: 256, description }))
const least = (description: string) => Type.Optional(Type.Number({ minimum: 0, description }))
const names = Type.Array(Type.String())

const defaultTypes = 50
const maxTypes = 500

export const InstanceTypesQuery = Type.Object({
  q: text('Part of a name'),
  provider: text('By any of its names'),
  region: text('Types that are offered there, with the prices of the region'),
  min_cores: least('vCPUs'),
  min_memory_gb: least('GiB'),
  min_speed: least('CoreMark iterations a second per vCPU'),
  architecture: text('x86_64, arm64'),
  gpu_model: text('Part of the name of an accelerator model'),
  min_local_disk_gb: least('GiB of local disk'),
  generation: Type.Optional(Type.Enum([...generations])),
  kind: text('A special kind, such as bare-metal, confidential or storage-optimised'),
  max_cost_per_hour: least('US dollars, the lowest on-demand price'),
  sort: Type.Optional(
    Type.Enum([...typeSorts], { description: 'Default: price. Types with an unknown value come last' }),
  ),
  limit: Type.Integer({ minimum: 1, maximum: maxTypes, default: defaultTypes }),
  cursor: text('From the Link header'),
})

const instanceType = {
  ...providerNames,
  instance_type: Type.String(),
  cpu_cores: nullable(Type.Number()),
  ram_gb: nullable(Type.Number()),
  architecture: nullable(Type.String()),
  gpu: nullable(Type.Object({ count: Type.Number(), name: Type.String() })),
  regions: names,
  operating_systems: names,
  usage_types: names,
  cost_per_hour_from: nullable(Type.Number({ description: 'The lowest on-demand price' })),
  cost_per_month_from: nullable(
    Type.Number({
      description: 'A month at that price: 730 hours, or the maximum cost of a month if that is lower',
    }),
  ),
  price_day: nullable(Type.String({ description: 'Day of that price, YYYY-MM-DD' })),
  burstable_baseline: nullable(
    Type.Number({ description: 'Share of each vCPU that a burstable type sustains; null if not burstable' }),
  ),
  cost_per_1000_coremark: nullable(
    Type.Number({
      description:
        'US dollars an hour for 1000 CoreMark iterations a second; for a burstable type at its baseline',
    }),
  ),
  machine: Type.Object(machineDescription),
}

export const RegionsView = Type.Array(
  Type.Object({
    ...providerNames,
    region: Type.String(),
    city: nullable(Type.String()),
    country: nullable(Type.String({ description: 'ISO 3166 alpha-2' })),
    continent: nullable(Type.String()),
    partition: nullable(
      Type.String({
        description: 'commercial, gov, china, sovereign; commercial-restricted is not open to all customers',
      }),
    ),
    distance_km: nullable(Type.Integer({ description: 'Distance from `near`' })),
    grams_co2e_per_kwh: nullable(Type.Number({ description: 'Carbon intensity of its grid' })),
  }),
)

export const TypeListView = Type.Array(Type.Object(instanceType))

export const TypeDetailsView = Type.Object({
  ...instanceType,
  prices: Type.Array(
    Type.Object({
      region: Type.String(),
      operating_system: Type.String(),
      usage_type: Type.String(),
      term: nullable(Type.String()),
      cost_per_hour: Type.Number({
        description: 'In the cheapest zone if zones have their own prices',
      }),
      cost_per_month: Type.Number({
        description: '730 hours, or the maximum cost of a month if that is lower',
      }),
      day: nullable(Type.String()),
    }),
  ),
  equivalents: nullable(
    Type.Object(
      { region: Type.String(), options: Type.Array(OptionView) },
      { description: 'Cheaper machines of at least the same size, by effort' },
    ),
  ),
})
