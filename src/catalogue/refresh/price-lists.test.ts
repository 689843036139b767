import { expect, test } from 'vitest'
import type { BuildManifest, RefreshNote } from '../../domain/manifest.ts'
import { shippedSnapshot } from './fake-providers.case.ts'
import { dueLists, priceListLine, priceLists } from './price-lists.ts'

const now = Date.parse('2026-11-15T06:00:00Z')
const hour = 3_600_000

const lists = (
  bytes: Readonly<Record<string, number>> = {},
  environment = {},
  hours = 24,
  allRegions = false,
) =>
  priceLists({
    environment,
    hours,
    allRegions,
    noteOf: (key) => (bytes[key] === undefined ? undefined : { bytes: bytes[key] }),
  })

/** The manifest after each of these providers was tried so many hours ago. */
const tried = (hours: Readonly<Record<string, number>>, more: Partial<RefreshNote> = {}): BuildManifest => ({
  ...shippedSnapshot.manifest,
  providers: shippedSnapshot.manifest.providers.map((one) => {
    const ago = hours[one.provider]
    if (ago === undefined) return one
    const at = new Date(now - ago * hour).toISOString()
    const note = {
      at,
      outcome: 'fresh',
      reason: '',
      freshAt: at,
      historySince: at,
      notes: [],
      validators: {},
    } as const
    return { ...one, refresh: { ...note, ...more } }
  }),
})

/** `regions` are those in use; all regions are read if undefined. */
function dueNow(
  manifest: BuildManifest,
  regions: Readonly<Record<string, string[]>> | undefined,
  environment = {},
  hours = 24,
): string[] {
  const used = new Map(Object.entries(regions ?? {}).map(([key, names]) => [key, new Set(names)]))
  const all = lists({}, environment, hours, regions === undefined)
  return dueLists(all, manifest, used, now).map(({ provider }) => provider)
}

test('each list says where it is read from, what it needs, its size and how often it is read', () => {
  const environment = {
    HCLOUD_TOKEN: 'token',
    CHEAPSIDE_PRICE_ENDPOINTS: 'ovhcloud.api=https://mirror.example',
  }
  expect(lists({ ovhcloud: 3_240_000 }, environment).map(priceListLine)).toEqual([
    'aws: can be read; https://pricing.us-east-1.amazonaws.com https://ec2.{region}.amazonaws.com; size not measured; every 168 hours, regions in use only',
    'azure: can be read; https://prices.azure.com; size not measured; every 168 hours, regions in use only',
    'gcp: needs GOOGLE_API_KEY; https://cloudbilling.googleapis.com; size not measured; every 24 hours',
    'digitalocean: needs DIGITALOCEAN_TOKEN; https://api.digitalocean.com; size not measured; every 24 hours',
    'hetzner: can be read; https://api.hetzner.cloud; size not measured; every 24 hours',
    'ovhcloud: can be read; https://mirror.example; 3.2 MB when last read; every 24 hours',
  ])
  expect(lists({}, {}, 0).map(priceListLine)[0]).toMatch(/not refreshed by itself$/)
})

test('a list that was larger than 50 MB when it was last read counts as large', () => {
  const byKey = new Map(lists({ ovhcloud: 60e6 }).map((list) => [list.provider, list]))
  expect(byKey.get('ovhcloud')).toMatchObject({ inUseOnly: false, everyHours: 168 })
})

test('what needs a credential is not tried, and large lists only where regions are in use', () => {
  expect(dueNow(tried({}), {})).toEqual(['ovhcloud'])
  expect(dueNow(tried({}), { aws: ['us-east-1'], azure: [] })).toEqual(['aws', 'ovhcloud'])
  expect(dueNow(tried({}), undefined)).toEqual(['aws', 'azure', 'ovhcloud'])
  expect(dueNow(tried({}), {}, { HCLOUD_TOKEN: 'token' })).toEqual(['hetzner', 'ovhcloud'])
  expect(dueNow(tried({}), undefined, {}, 0)).toEqual([])
})

test('small lists daily, large ones weekly; a failure sooner, but not if the network is closed', () => {
  expect(dueNow(tried({ ovhcloud: 23, aws: 167, azure: 168 }), undefined)).toEqual(['azure'])
  expect(dueNow(tried({ ovhcloud: 24, aws: 1, azure: 1 }), undefined)).toEqual(['ovhcloud'])
  const failed = { outcome: 'failed', reason: 'why' } as const
  expect(dueNow(tried({ ovhcloud: 3 }, { ...failed, code: 'busy' }), {})).toEqual(['ovhcloud'])
  expect(dueNow(tried({ ovhcloud: 3 }, { ...failed, code: 'unreachable' }), {})).toEqual([])
  expect(dueNow(tried({ ovhcloud: 24 }, { ...failed, code: 'unreachable' }), {})).toEqual(['ovhcloud'])
})
