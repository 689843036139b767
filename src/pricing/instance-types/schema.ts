import Type from 'typebox'
import { MachineDescription } from '../../catalogue/facts/schema.ts'
import { providerNames } from '../../catalogue/schema.ts'
import { generations } from '../../domain/machine-facts.ts'
import { nullable, number, optional, string, type View } from '../../domain/schema.ts'
import { ComparisonOption } from '../compare/schema.ts'
import { typeSorts } from './type-sorts.ts'

const text = (description: string) => optional(string(description, { maxLength: 256 }))
const least = (description: string) => optional(number(description, { minimum: 0 }))
const names = Type.Array(Type.String())

const defaultTypes = 50
const maxTypes = 500

export type TypeSearch = View<typeof TypeSearch>
export const TypeSearch = Type.Object({
  q: string('Part of a name, case-insensitive', { maxLength: 128, default: '' }),
  provider: optional(string('Key, display name or alias of a provider', { maxLength: 256 })),
  region: optional(Type.String({ maxLength: 256 })),
  cpu_cores: optional(number('Types with exactly this number of cores', { minimum: 0 })),
  ram_gb: optional(number('Types with exactly this amount of memory in GiB', { minimum: 0 })),
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 20 }),
})

export type TypesQuery = View<typeof InstanceTypesQuery>
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
  generation: optional(Type.Enum([...generations])),
  kind: text('A special kind, such as bare-metal, confidential or storage-optimised'),
  max_cost_per_hour: least('US dollars, the lowest on-demand price'),
  sort: optional(
    Type.Enum([...typeSorts], { description: 'Default: price. Types with an unknown value come last' }),
  ),
  limit: Type.Integer({ minimum: 1, maximum: maxTypes, default: defaultTypes }),
  cursor: text('From the Link header'),
})

export type InstanceTypeView = View<typeof InstanceTypeView>
export const InstanceTypeView = Type.Object({
  ...providerNames,
  instance_type: Type.String(),
  cpu_cores: nullable(Type.Number()),
  ram_gb: nullable(Type.Number()),
  architecture: nullable(Type.String()),
  gpu: nullable(Type.Object({ count: Type.Number(), name: Type.String() })),
  regions: names,
  operating_systems: names,
  usage_types: names,
  cost_per_hour_from: nullable(number('The lowest on-demand price')),
  cost_per_month_from: nullable(
    number('A month at that price: 730 hours, or the maximum cost of a month if that is lower'),
  ),
  price_day: nullable(string('Day of that price, YYYY-MM-DD')),
  cost_per_hour_reserved_1y: nullable(number('The lowest price with a commitment of one year')),
  cost_per_hour_reserved_3y: nullable(number('The lowest price with a commitment of three years')),
  cost_per_hour_spot: nullable(number('The lowest spot price')),
  burstable_baseline: nullable(
    number('Share of each vCPU that a burstable type sustains; null if not burstable'),
  ),
  cost_per_1000_coremark: nullable(
    number('US dollars an hour for 1000 CoreMark iterations a second; for a burstable type at its baseline'),
  ),
  machine: MachineDescription,
})

export type TypePrice = View<typeof TypePrice>
export const TypePrice = Type.Object({
  region: Type.String(),
  operating_system: Type.String(),
  usage_type: Type.String(),
  term: nullable(Type.String()),
  cost_per_hour: number('In the cheapest zone if zones have their own prices'),
  cost_per_month: number('730 hours, or the maximum cost of a month if that is lower'),
  day: nullable(Type.String()),
})

export type InstanceTypeDetails = View<typeof InstanceTypeDetails>
export const InstanceTypeDetails = Type.Object({
  ...InstanceTypeView.properties,
  prices: Type.Array(TypePrice),
  equivalents: nullable(
    Type.Object(
      { region: Type.String(), options: Type.Array(ComparisonOption) },
      { description: 'Cheaper machines of at least the same size, by effort' },
    ),
  ),
})

const namesOf = (description: string) => Type.Array(Type.String(), { description })

export type FoundInstanceType = View<typeof FoundInstanceType>
export const FoundInstanceType = Type.Object({
  ...providerNames,
  instance_type: Type.String(),
  cpu_cores: nullable(Type.Number()),
  ram_gb: nullable(number('In GiB')),
  architecture: string('Blank if not known'),
  gpu: nullable(Type.Object({ count: Type.Number(), name: Type.String() })),
  regions: namesOf('Regions that offer it'),
  operating_systems: namesOf('Operating systems that it is offered with'),
  usage_types: namesOf('Usage types that it is offered with'),
  cost_per_hour_from: nullable(number('US dollars, its lowest on-demand price')),
})

export const InstanceTypesView = Type.Array(FoundInstanceType, {
  description: 'First names that begin with the text, then names that contain it; small types first',
})
