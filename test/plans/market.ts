import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { Catalogue } from '../../src/catalogue/catalogue.ts'
import { catalogueRules } from '../../src/catalogue/load-catalogue.ts'
import type { Offer } from '../../src/domain/offer.ts'
import { noOwnPrices, type PricingDeps } from '../../src/pricing/market.ts'
import { findProvider, providers } from '../../src/providers/providers.ts'

/**
 * The prices of `prices.csv`, a copy from the shipped catalogue, so that a refresh of prices does not change golden
 * outputs.
 */
export function planMarket(): PricingDeps {
  const rows: Record<string, string>[] = parse(readFileSync(join(import.meta.dirname, 'prices.csv')), {
    columns: true,
  })
  const rules = catalogueRules(providers)
  const catalogue = Catalogue.from(rows.map(offerOf), { ...rules, id: 'plans' })
  const on = providers.filter(({ onByDefault }) => onByDefault)
  return { catalogue: () => catalogue, providers: on, findProvider, own: () => noOwnPrices }
}

const numberOrNull = (text: string | undefined): number | null => (text ? Number(text) : null)

const offerOf = (row: Record<string, string>): Offer => ({
  provider: row.provider!,
  service: row.service!,
  region: row.region!,
  zone: row.zone!,
  instanceType: row.instance_type!,
  operatingSystem: row.operating_system as Offer['operatingSystem'],
  usageType: row.usage_type as Offer['usageType'],
  term: row.term as Offer['term'],
  vcpus: Number(row.vcpus),
  ramGib: Number(row.ram_gib),
  architecture: row.architecture as Offer['architecture'],
  gpuCount: 0,
  gpuName: '',
  pricePerHourUsd: Number(row.price_per_hour_usd),
  monthlyCapUsd: numberOrNull(row.monthly_cap_usd),
  burstableBaseline: numberOrNull(row.burstable_baseline),
  family: row.family!,
  source: 'list',
  day: '2026-11-01',
})
