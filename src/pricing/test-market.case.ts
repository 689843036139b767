import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Catalogue } from '../catalogue/catalogue.ts'
import { catalogueRules } from '../catalogue/load-catalogue.ts'
import { offer } from '../domain/offer.case.ts'
import type { Offer } from '../domain/offer.ts'
import { findProvider, providers } from '../providers/providers.ts'
import type { Store } from '../store/port.ts'
import { openSqliteStore } from '../store/sqlite/store.ts'
import type { PricingDeps } from './market.ts'
import { OwnPriceCache } from './own-prices/own-prices.ts'
import type { MarketplaceDeps } from './own-prices/register-marketplace.ts'
import type { RecommendationRequest } from './request/request.ts'

const aws = (over: Partial<Offer>): Offer =>
  offer({ provider: 'aws', service: 'AmazonEC2', region: 'us-east-1', family: '', ...over })
const gcp = (
  instanceType: string,
  vcpus: number,
  ramGib: number,
  usd: number,
  over: Partial<Offer> = {},
): Offer =>
  offer({
    provider: 'gcp',
    service: 'ComputeEngine',
    region: 'us-central1',
    family: 'n2',
    instanceType,
    vcpus,
    ramGib,
    pricePerHourUsd: usd,
    ...over,
  })

/** Two dozen offers with one of each peculiarity. */
export const testOffers: readonly Offer[] = [
  aws({ instanceType: 'm5.xlarge', vcpus: 4, ramGib: 16, pricePerHourUsd: 0.192, family: 'm5' }),
  aws({
    instanceType: 'm5.xlarge',
    vcpus: 4,
    ramGib: 16,
    pricePerHourUsd: 0.376,
    operatingSystem: 'Windows',
  }),
  aws({
    instanceType: 'm5.xlarge',
    vcpus: 4,
    ramGib: 16,
    pricePerHourUsd: 0.09,
    usageType: 'RESERVED',
    term: '3y',
  }),
  aws({
    instanceType: 'm5.xlarge',
    vcpus: 4,
    ramGib: 16,
    pricePerHourUsd: 0.121,
    usageType: 'RESERVED',
    term: '1y',
  }),
  aws({
    instanceType: 'm5.xlarge',
    vcpus: 4,
    ramGib: 16,
    pricePerHourUsd: 0.08,
    usageType: 'SPOT_PREEMPTIBLE',
    zone: 'use1-az1',
  }),
  aws({
    instanceType: 'm5.xlarge',
    vcpus: 4,
    ramGib: 16,
    pricePerHourUsd: 0.07,
    usageType: 'SPOT_PREEMPTIBLE',
    zone: 'use1-az2',
  }),
  aws({ instanceType: 'm5.xlarge', vcpus: 4, ramGib: 16, pricePerHourUsd: 0.214, region: 'eu-west-1' }),
  aws({ instanceType: 'm5.large', vcpus: 2, ramGib: 8, pricePerHourUsd: 0.096 }),
  aws({ instanceType: 'm6g.large', vcpus: 2, ramGib: 8, pricePerHourUsd: 0.077, architecture: 'arm64' }),
  aws({ instanceType: 't3.large', vcpus: 2, ramGib: 8, pricePerHourUsd: 0.0832, burstableBaseline: 0.3 }),
  aws({
    instanceType: 'p3.2xlarge',
    vcpus: 8,
    ramGib: 61,
    pricePerHourUsd: 3.06,
    gpuCount: 1,
    gpuName: 'V100',
  }),
  aws({
    instanceType: 'p3.8xlarge',
    vcpus: 32,
    ramGib: 244,
    pricePerHourUsd: 2.9,
    gpuCount: 4,
    gpuName: 'V100',
    region: 'us-west-2',
  }),
  aws({
    instanceType: 'g4dn.xlarge',
    vcpus: 4,
    ramGib: 16,
    pricePerHourUsd: 0.526,
    gpuCount: 1,
    gpuName: 'T4',
  }),
  aws({ instanceType: 'x.unknown', vcpus: null, ramGib: null, pricePerHourUsd: 0.05 }),
  gcp('n2-standard-2', 2, 8, 0.097118),
  gcp('n2-standard-4', 4, 16, 0.194236),
  gcp('n2-highmem-4', 4, 32, 0.262028),
  gcp('n2-highcpu-4', 4, 4, 0.143392),
  offer({
    provider: 'digitalocean',
    service: 'Droplet',
    region: 'nyc1',
    instanceType: 's-4vcpu-8gb',
    vcpus: 4,
    ramGib: 8,
    pricePerHourUsd: 0.07143,
    monthlyCapUsd: 48,
    family: '',
  }),
  offer({
    provider: 'azure',
    service: 'AzureCompute',
    region: 'eastus',
    instanceType: 'Standard_D2s_v5',
    vcpus: 2,
    ramGib: 8,
    pricePerHourUsd: 0.0965,
    family: '',
  }),
]

export interface TestMarket {
  readonly store: Store
  readonly ownPrices: OwnPriceCache
  readonly pricing: PricingDeps
  readonly marketplace: MarketplaceDeps
  close(): Promise<void>
}

/** Opens the real store in its own directory, with a catalogue of a few offers. */
export async function openTestMarket(offers: readonly Offer[] = testOffers): Promise<TestMarket> {
  const directory = mkdtempSync(join(tmpdir(), 'cheapside-small-'))
  const store = await openSqliteStore({ directory })
  const catalogue = Catalogue.from(offers, { ...catalogueRules(providers), id: 'small' })
  const ownPrices = new OwnPriceCache({ store })
  const enabled = providers.filter(({ onByDefault }) => onByDefault)
  const find = (name: string) => {
    const found = findProvider(name)
    return found !== undefined && enabled.includes(found) ? found : undefined
  }
  return {
    store,
    ownPrices,
    pricing: {
      catalogue: () => catalogue,
      providers: enabled,
      findProvider: find,
      own: (organisation) => ownPrices.of(organisation),
    },
    marketplace: { store, ownPrices, findProvider: find },
    close: async () => {
      await store.close()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

/** An m5.xlarge that is half used. */
export const request = (over: Partial<RecommendationRequest> = {}): RecommendationRequest => ({
  provider: 'aws',
  service: 'AmazonEC2',
  region: 'us-east-1',
  availability_zone: 'us-east-1a',
  instance_type: 'm5.xlarge',
  operating_system: 'Linux',
  usage_type: 'on-demand',
  vm: { cpu_cores: 4, ram_gb: 16 },
  usage: { cpu_cores: 1.5, ram_gb: 6 },
  predicates: {},
  ...over,
})
