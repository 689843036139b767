import Type from 'typebox'
import { integer, nullable, number, optional, string, type View } from '../../domain/schema.ts'

export const volumeStates = ['used', 'unused', 'without-claim', 'unknown'] as const

const usd = (description: string) => number(`${description}, in US dollars`)

export type VolumesQuery = View<typeof VolumesQuery>
export const VolumesQuery = Type.Object({
  cluster: optional(string('Only this cluster', { maxLength: 1024 })),
  namespace: optional(string('Only this namespace', { maxLength: 1024 })),
  state: optional(Type.Enum([...volumeStates], { description: 'Only volumes in this state' })),
  limit: Type.Integer({ minimum: 1, maximum: 10_000, default: 1000 }),
  cursor: optional(string('The next_cursor of the previous page', { pattern: '^[0-9]{1,9}$' })),
})

const BetterDisk = Type.Object({
  type: Type.String(),
  tier: string('Blank if every GiB is counted'),
  size_gib: number('The size that is paid for'),
  iops: Type.Number(),
  throughput_mbps: Type.Number(),
  cost_per_month: usd('Cost per month of 730 hours'),
  savings_per_month: usd('Difference from the current cost'),
})

export type VolumeView = View<typeof VolumeView>
export const VolumeView = Type.Object({
  cluster: Type.String(),
  namespace: nullable(string('null for a volume without a claim')),
  claim: nullable(string('Name of the PersistentVolumeClaim')),
  volume: nullable(string('Name of the PersistentVolume')),
  storage_class: Type.String(),
  state: Type.Enum([...volumeStates], {
    description:
      'used: a pod uses it, or did in the last 7 days; unused: no pod did for 7 days or more; without-claim: its claim is gone; unknown: it is not known which claims pods use, or not for long enough',
  }),
  unused_days: nullable(integer('Whole days without a pod, or without a claim, at least')),
  measured_days: integer('Whole days since it was first seen, of the last 14'),
  size_gib: number('Capacity of the volume'),
  used_gib: nullable(number('The most that was used in the last 14 days')),
  provider: nullable(Type.String()),
  region: nullable(Type.String()),
  disk_type: nullable(string('Type of disk that the storage class means, with its tier')),
  iops: nullable(number('What a disk of this type and size can do')),
  cost_per_month: nullable(usd('Cost per month of 730 hours')),
  without_price: nullable(string('Why it has no price')),
  price_source: nullable(Type.String()),
  price_date: nullable(Type.String()),
  is_estimate: Type.Boolean(),
  better: nullable(
    BetterDisk,
    'A disk of another type or tier, never a smaller one, with the same speed for less',
  ),
  smaller_saves_per_month: usd(
    'What a new claim of 1.25 times the used size would save in addition, after copying the data: no disk shrinks',
  ),
})

export type VolumesView = View<typeof VolumesView>
export const VolumesView = Type.Object({
  volumes: Type.Array(VolumeView, { description: 'Those that can save most first' }),
  totals: Type.Object(
    {
      count: Type.Integer(),
      size_gib: Type.Number(),
      cost_per_month: usd('Cost of those with a price'),
      without_price: integer('Number of volumes without a price'),
      removable_per_month: usd('Cost of those that are unused or without a claim'),
      savings_per_month: usd('Savings of the others by another type or tier'),
    },
    { description: 'Over all volumes that match the filter, on all pages' },
  ),
  next_cursor: nullable(Type.String()),
})
