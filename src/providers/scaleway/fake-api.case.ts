import { isRate, rateAnswer } from '../fetching/fake-exchange-rate.case.ts'
import { type Fake, json, notFound } from '../fetching/fake-server.case.ts'

/** Written from https://www.scaleway.com/en/developers/api/instances/: server types by name, in pages, zone by zone. */
export function fakeScaleway(zones: Readonly<Record<string, Readonly<Record<string, unknown>>>>): Fake {
  return ({ path, query }) => {
    if (isRate(path)) return rateAnswer('1.1567', '2026-11-13')
    const zone = /^\/instance\/v1\/zones\/([a-z]+-[a-z]+-\d)\/products\/servers$/.exec(path)?.[1]
    if (zone === undefined) return notFound
    const items = Number(query.get('per_page') ?? 50)
    const from = (Number(query.get('page') ?? 1) - 1) * items
    return json({ servers: Object.fromEntries(Object.entries(zones[zone] ?? {}).slice(from, from + items)) })
  }
}

const gib = 2 ** 30

export const instanceType = (
  hourly: number,
  ncpus: number,
  ramGib: number,
  more: Readonly<Record<string, unknown>> = {},
) => ({
  monthly_price: hourly * 730,
  hourly_price: hourly,
  alt_names: [],
  per_volume_constraint: { l_ssd: { min_size: 0, max_size: 0 } },
  volumes_constraint: { min_size: 0, max_size: 0 },
  ncpus,
  gpu: 0,
  gpu_info: null,
  ram: ramGib * gib,
  arch: 'x86_64',
  baremetal: false,
  capabilities: { block_storage: true, boot_types: ['rescue', 'local'], placement_groups: true },
  scratch_storage_max_size: null,
  block_bandwidth: 131_072_000,
  end_of_service: false,
  ...more,
})
