import { Gauge } from 'prom-client'
import type { Catalogue } from '../../catalogue/catalogue.ts'
import { shippedCatalogue } from '../../catalogue/load-catalogue.ts'
import { automaticRefresh } from '../../catalogue/refresh/automatic.ts'
import { RequestedRefresh } from '../../catalogue/refresh/requested-refresh.ts'
import { freshnessOf } from '../../catalogue/refresh/schedule.ts'
import { type Settings, SettingsError } from '../../config.ts'
import type { BuildManifest } from '../../domain/manifest.ts'
import type { Provider } from '../../domain/provider.ts'
import type { Clock } from '../../domain/time.ts'
import { readCommitments } from '../../pricing/commitments/store-commitments.ts'
import { enabledProviders, type PricingDeps, providerKeys, UnknownProvider } from '../../pricing/market.ts'
import { OwnPriceCache } from '../../pricing/own-prices/own-prices.ts'
import type { MarketplaceDeps } from '../../pricing/own-prices/register-marketplace.ts'
import { regionsInUse } from '../../pricing/regions-in-use.ts'
import { adjustInThread } from '../../pricing/rules/adjust-in-thread.ts'
import { RuledPriceCache } from '../../pricing/rules/ruled-prices.ts'
import { readAnyFile } from '../../runtime/program-files.ts'
import type { Store } from '../../store/port.ts'
import { demoOrganisation } from '../demo/load-demo.ts'
import type { HeavyReads } from '../heavy-reads.ts'
import type { HttpMetrics } from '../metrics.ts'
import { billRoutes, maxBillBytes } from '../routes/pricing/bills.ts'
import { catalogueRoutes, providerRoutes } from '../routes/pricing/catalogue.ts'
import { computeRoutes } from '../routes/pricing/compute.ts'
import { computeMarketplaceRoutes } from '../routes/pricing/compute-marketplace.ts'
import { diskRoutes } from '../routes/pricing/disks.ts'
import { instanceTypeRoutes } from '../routes/pricing/instance-types.ts'
import { marketplaceRoutes } from '../routes/pricing/marketplace.ts'
import { priceRefreshRoutes } from '../routes/pricing/price-refresh.ts'
import { priceRuleRoutes } from '../routes/pricing/price-rules.ts'
import { pricingHistoryRoutes, pricingRoutes } from '../routes/pricing/pricing.ts'
import { comparisonRoutes, recommendationRoutes } from '../routes/pricing/recommendations.ts'
import { unpricedKindRoutes } from '../routes/pricing/reviews.ts'
import type { Routes } from '../server.ts'
import { SpooledBodies } from '../spooled-bodies.ts'
import { ServedCatalogue } from './served-catalogue.ts'
import type { Job, ServiceContext, ServicePart } from './service-part.ts'

export async function pricingPart(context: ServiceContext, reads: HeavyReads) {
  const { store, settings, metrics, now } = context
  const enabled = providersOf(settings)
  const file = settings.catalogue === '' ? shippedCatalogue : settings.catalogue
  const served = await ServedCatalogue.load({ ...context, file, providers: enabled.providers })
  const ownPrices = new OwnPriceCache({ store })
  const ruledPrices = ruledPricesOf(store, now, enabled.providers, served.current)
  const deps: PricingDeps = {
    ...enabled,
    catalogue: served.current,
    own: ownPrices.of,
    ruled: ruledPrices.of,
    exchange: () => served.manifest().exchange,
    commitments: (organisation) => readCommitments(store.settings, organisation),
  }
  const spool = new SpooledBodies(settings.data, maxBillBytes)
  const refreshing = refreshJobs(context, file, served.manifest, deps)
  const requested = new RequestedRefresh({
    ...context,
    enabled: enabled.providers.map(({ key }) => key),
    shipped: () => readAnyFile(file),
    holder: `request ${crypto.randomUUID()}`,
  })
  metrics.gauge('cheapside_catalogue_offers', 'Offers in the catalogue.', () => served.current().offerCount)
  watchFreshness(metrics, served.manifest, now)

  return {
    deps,
    routes: [
      ...priceRoutes(context, deps, served.manifest),
      ...ownPriceRoutes({ store, ownPrices, findProvider: enabled.findProvider }),
      priceRuleRoutes({ ...deps, store, now, ruledPrices }, reads),
      billRoutes({ ...deps, store, spool }, reads),
      unpricedKindRoutes(),
      priceRefreshRoutes(requested),
    ],
    start: async () => {
      await spool.clear()
      await served.follow()
    },
    onChange: async (topic) => {
      if (topic === 'catalogue') await served.follow()
      await ownPrices.onTopicChange(topic)
      await ruledPrices.onTopicChange(topic)
    },
    jobs: refreshing.jobs,
    stop: async () => {
      await Promise.all([refreshing.stop(), requested.stop()])
    },
    reload: () => served.reload(),
  } satisfies ServicePart & Record<string, unknown>
}

const priceRoutes = ({ store, now }: ServiceContext, deps: PricingDeps, manifest: () => BuildManifest) => [
  recommendationRoutes(deps),
  computeRoutes(deps),
  diskRoutes({ ...deps, store, now }),
  comparisonRoutes({ ...deps, now }),
  instanceTypeRoutes({ ...deps, now }),
  pricingRoutes(deps),
  pricingHistoryRoutes({ ...deps, store, manifest, now }),
  providerRoutes(deps),
  catalogueRoutes({ ...deps, manifest }),
]

const ownPriceRoutes = (deps: MarketplaceDeps): Routes[] => [
  marketplaceRoutes(deps),
  computeMarketplaceRoutes(deps),
]

export const ruledPricesOf = (
  store: Pick<Store, 'settings'>,
  now: Clock,
  providers: readonly Provider[],
  catalogue: () => Catalogue,
): RuledPriceCache =>
  new RuledPriceCache({
    store,
    now,
    catalogue,
    adjust: (listed, rules) => adjustInThread(listed, rules, providers),
  })

/** The job that refreshes prices regularly, unless the operator has turned it off. */
export function refreshJobs(
  { settings, environment, store, now, log }: ServiceContext,
  catalogueFile: string,
  served: () => BuildManifest,
  pricing: PricingDeps,
): { jobs: readonly Job[]; stop(): Promise<void> } {
  if (settings.refreshHours === 0) return { jobs: [], stop: async () => {} }
  const stopping = new AbortController()
  const job = automaticRefresh({
    store,
    now,
    served,
    log,
    environment,
    enabled: providerKeys(settings.providers),
    hours: settings.refreshHours,
    maxBytes: settings.refreshMaxMegabytes * 1e6,
    allRegions: settings.refreshRegions === 'all',
    regionsInUse: async () => {
      const all = new Set((await store.usage.partitions()).map(({ organisation }) => organisation))
      const isDemo = all.delete(demoOrganisation) && all.size === 0
      return isDemo ? undefined : regionsInUse({ pricing, usage: store.usage }, all)
    },
    shipped: () => readAnyFile(catalogueFile),
    holder: `service ${crypto.randomUUID()}`,
    signal: stopping.signal,
  })
  return {
    jobs: [{ ...job, firstAfterMs: 0 }],
    // Waits for the end of the job, which releases its lease. If the store were closed first, the lease would stay until it
    // expires.
    stop: async () => {
      stopping.abort()
      await job.settled()
    },
  }
}

function providersOf({ providers }: Settings): ReturnType<typeof enabledProviders> {
  try {
    return enabledProviders(providers)
  } catch (error) {
    throw error instanceof UnknownProvider
      ? new SettingsError(`CHEAPSIDE_PROVIDERS: ${error.message}`)
      : error
  }
}

function watchFreshness(metrics: HttpMetrics, manifest: () => BuildManifest, now: Clock): void {
  new Gauge({
    name: 'cheapside_prices_newest_day_timestamp_seconds',
    help: "The newest day of a provider's prices.",
    labelNames: ['provider'],
    registers: [metrics.registry],
    collect() {
      for (const { provider, newestDay } of freshnessOf(manifest(), now())) {
        if (newestDay !== '') this.set({ provider }, Date.parse(newestDay) / 1000)
      }
    },
  })
  new Gauge({
    name: 'cheapside_prices_refresh_outcome',
    help: "1 for the outcome of a provider's last refresh.",
    labelNames: ['provider', 'outcome'],
    registers: [metrics.registry],
    collect() {
      this.reset()
      for (const { provider, outcome } of freshnessOf(manifest(), now())) this.set({ provider, outcome }, 1)
    },
  })
}
