import { expect, test } from 'vitest'
import type { VolumeView } from '../../../pricing/disks/volume-schema.ts'
import { volumeRow } from './volume-row.ts'

const gp3 = { type: 'gp3', tier: '', size_gib: 100, iops: 3000, throughput_mbps: 128 }
const volume: VolumeView = {
  ...{ cluster: 'prod', namespace: 'shop', claim: 'data', volume: 'pvc-1', storage_class: 'fast' },
  ...{ state: 'used', unused_days: null, measured_days: 14, size_gib: 100, used_gib: 20 },
  ...{
    provider: 'AWS',
    region: 'us-east-1',
    disk_type: 'gp2',
    iops: 300,
    cost_per_month: 10,
    without_price: null,
  },
  ...{ price_source: 'marketplace', price_date: null, is_estimate: false, smaller_saves_per_month: 6 },
  better: { ...gp3, cost_per_month: 8, savings_per_month: 2 },
}

const advise = (more: Partial<VolumeView>) => volumeRow({ ...volume, ...more })?.recommendation

test('another type of disk saves the difference, and the copy that a smaller one needs is not counted', () => {
  const recommendation = advise({})!
  expect(recommendation).toMatchObject({
    ...{ kind: 'volume', title: 'Change claim data from gp2 to gp3', worth_per_month: 2, risk: 'medium' },
    current: { instance_type: 'gp2', region: 'us-east-1' },
    recommended: { instance_type: 'gp3' },
    price_sources: ['own'],
  })
  expect(recommendation.reasons.join()).toMatch(
    /no disk shrinks.*VolumeAttributesClass.*At most 20 GiB.*\$6\.00 a month more/,
  )
})

test.each([
  [{ state: 'unused', unused_days: 9 }, 'Remove claim data: no pod used it for 9 days'],
  [
    { state: 'without-claim', unused_days: 3, namespace: null, claim: null },
    'Remove volume pvc-1: its claim is gone',
  ],
] as const)('%o is removed, and saves its whole cost', (more, title) => {
  const recommendation = advise(more)
  expect(recommendation).toMatchObject({ title, worth_per_month: 10, recommended: null, risk: 'high' })
  expect(recommendation!.idle_days).toBe(more.unused_days)
})

test('nothing is advised without a price, and nothing on a used volume that has the cheapest disk', () => {
  expect(advise({ cost_per_month: null, state: 'unused' })).toBeUndefined()
  expect(advise({ better: null })).toBeUndefined()
  expect(advise({ state: 'unknown', better: null })).toBeUndefined()
})
