import Type from 'typebox'
import { usageTypes } from '../../domain/offer.ts'
import { integer, nullable, number, optional, string, type View } from '../../domain/schema.ts'
import { Savings } from '../answer/schema.ts'

const maxNumber = 1_000_000
export const maxDiskEntries = 1_000

const name = (description = '') => optional(nullable(string(description, { maxLength: 256 })))
const amount = (description = '') =>
  optional(nullable(number(description, { minimum: 0, maximum: maxNumber })))
const names = (description: string) =>
  optional(Type.Array(Type.String({ maxLength: 256 }), { maxItems: 1000, description }))

const diskMembers = {
  id: name('Your own name of the disk; returned unchanged'),
  provider: name(),
  service: name(),
  region: name(),
  availability_zone: name(),
  type: name('A type such as gp3, pd-balanced or Premium_LRS, or a tier such as P10'),
  usage_type: name('Default: ONDEMAND'),
  capacity_gb: amount('In GiB'),
  iops: amount('What was bought; default: what the type includes'),
  throughput_mbps: amount('What was bought; default: what the type includes'),
  fallback_to_base_pricing: optional(nullable(Type.Boolean())),
}

export type DiskQuestion = View<typeof DiskBody>
export const DiskBody = Type.Object({ ...diskMembers, include_metadata: optional(Type.Boolean()) })

export type DiskPredicates = NonNullable<DiskRecommendationQuestion['predicates']>
export type DiskRecommendationQuestion = View<typeof DiskRecommendationBody>
export const DiskRecommendationBody = Type.Object({
  instance: Type.Object(diskMembers),
  usage: optional(
    nullable(
      Type.Object(diskMembers, {
        description:
          'What was measured: capacity_gb, iops and throughput_mbps. What is absent stays as the disk has it',
      }),
    ),
  ),
  predicates: optional(
    Type.Object(
      {
        providers: names('Default: the provider of the disk, and your own prices; "*" for all'),
        regions: names('Default: the region of the disk; for other providers regions near it'),
        availability_zones: names('Offers in these zones'),
        instance_types: names('Disk types'),
        usage_types: names('Default: the usage type of the disk'),
      },
      { additionalProperties: false },
    ),
  ),
  include_metadata: optional(Type.Boolean()),
})

const rate = (description: string) => number(description)
const most = nullable(number('null for no limit'))

export type DiskRow = View<typeof DiskRow>
export const DiskRow = Type.Object({
  id: string('A UUID'),
  provider: Type.String(),
  service: Type.String(),
  region: Type.String(),
  availability_zone: string('Blank for the whole region'),
  type: Type.String(),
  usage_type: Type.Enum([...usageTypes]),
  cost_per_gb_hour: rate('US dollars per GiB and hour'),
  cost_per_iops_hour: rate('For each IOPS above min_iops'),
  cost_per_throughput_mbps_hour: rate('For each MB/s above min_throughput_mbps'),
  min_capacity_gb: rate('A smaller disk costs as much as one of this size'),
  max_capacity_gb: most,
  min_iops: rate('Included in the price of the capacity'),
  max_iops: most,
  min_throughput_mbps: rate('Included in the price of the capacity'),
  max_throughput_mbps: most,
  period_billing_hours: Type.Number(),
  raw_pricing_data: Type.Record(Type.String(), Type.Unknown(), {
    description:
      'As it was registered; of other prices, if include_metadata is set, what the disk costs in all, the source of the price and what changes',
  }),
  tags: Type.Record(Type.String(), Type.String()),
  created_at: nullable(string('Day of the price')),
  updated_at: nullable(Type.String()),
})

const DescribedDiskView = Type.Object({
  id: Type.String(),
  provider: Type.String(),
  service: Type.String(),
  region: Type.String(),
  availability_zone: Type.String(),
  type: Type.String(),
  usage_type: Type.Enum([...usageTypes]),
  capacity_gb: Type.Number(),
  iops: nullable(Type.Number()),
  throughput_mbps: nullable(Type.Number()),
  fallback_to_base_pricing: Type.Boolean(),
})

export type DiskItem = View<typeof DiskItem>
const DiskItem = Type.Object({ disk: DescribedDiskView, disk_pricing: DiskRow, savings: Savings })
export const DiskRecommendationView = Type.Record(Type.String(), Type.Array(DiskItem), {
  description: 'First the disk asked about under `base`, then one group per disk type, cheapest first',
})

export type DiskEntry = View<typeof DiskEntry>
const DiskEntry = Type.Object({
  type: string('Anything but "base"', { minLength: 1, maxLength: 256 }),
  region: Type.String({ minLength: 1, maxLength: 256 }),
  cost_per_gb_hour: Type.Number({ minimum: 0, maximum: maxNumber }),
  id: name('Ignored'),
  provider: name('Ignored: an entry is registered under the name of your organisation'),
  service: name('Default: the name of your organisation'),
  availability_zone: name('Default: the whole region'),
  usage_type: name('Default: ONDEMAND'),
  cost_per_iops_hour: amount(),
  cost_per_throughput_mbps_hour: amount(),
  min_capacity_gb: amount(),
  max_capacity_gb: amount('Default: no limit'),
  min_iops: amount('Included in the price of the capacity'),
  max_iops: amount('Default: no limit'),
  min_throughput_mbps: amount('Included in the price of the capacity'),
  max_throughput_mbps: amount('Default: no limit'),
  period_billing_hours: amount('Default: 1'),
  raw_pricing_data: optional(nullable(Type.Record(Type.String(), Type.Unknown()))),
  tags: optional(
    nullable(
      Type.Record(Type.String({ maxLength: 256 }), Type.String({ maxLength: 256 }), { maxProperties: 50 }),
    ),
  ),
})
export const DiskRegistrationBody = Type.Object({
  entries: Type.Array(DiskEntry, { minItems: 1, maxItems: maxDiskEntries }),
})
export const DiskRegistration = Type.Object({
  status: Type.Literal('Registered'),
  entries: Type.Array(DiskRow),
})
export const DiskRemoval = Type.Object({ status: Type.Literal('Deleted'), entries: Type.Array(DiskRow) })
export const DiskList = Type.Object({ providers: Type.Array(DiskRow) })

export type DiskTypesQuery = View<typeof DiskTypesQuery>
export const DiskTypesQuery = Type.Object({
  provider: optional(Type.String({ maxLength: 256 })),
  region: optional(string('Only types with a price there', { maxLength: 256 })),
  limit: Type.Integer({ minimum: 1, maximum: 1000, default: 200 }),
})
export type DiskTypeView = View<typeof DiskTypeView>
export const DiskTypeView = Type.Object({
  provider: Type.String(),
  provider_key: Type.String(),
  type: Type.String(),
  tier: string('A size that is sold as a whole; blank if every GiB is counted'),
  region: string('The region of the price: the requested or the cheapest one'),
  cost_per_gb_month: number('US dollars for 730 hours'),
  cost_per_iops_month: number('For each IOPS above the included ones'),
  cost_per_throughput_mbps_month: number('For each MB/s above the included ones'),
  min_capacity_gb: Type.Number(),
  max_capacity_gb: most,
  included_iops: Type.Number(),
  iops_per_gb: number('IOPS that each GiB adds'),
  max_iops: most,
  included_throughput_mbps: Type.Number(),
  throughput_mbps_per_gb: Type.Number(),
  max_throughput_mbps: most,
  traits: Type.Array(Type.String(), { description: 'hdd, replicated, durable, data-only, other-charges' }),
  source: Type.String(),
  price_day: nullable(Type.String()),
  is_estimate: Type.Boolean(),
  regions: integer('Number of regions with a price'),
})
