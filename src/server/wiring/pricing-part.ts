import { Gauge } from 'prom-client'
import { shippedCatalogue } from '../catalogue/load-catalogue.ts'
import { type Settings, SettingsError } from '../config.ts'
import type { BuildManifest } from '../domain/manifest.ts'
import { type Clock, hourMs } from '../domain/time.ts'
import type { HttpMetrics } from '../http/metrics.ts'
import { catalogueRoutes, providerRoutes } from '../http/routes/pricing/catalogue.ts'
import { computeRoutes } from '../http/routes/pricing/compute.ts'
import { computeMarketplaceRoutes } from '../http/routes/pricing/compute-marketplace.ts'
import { instanceTypeRoutes } from '../http/routes/pricing/instance-types.ts'
import { marketplaceRoutes } from '../http/routes/pricing/marketplace.ts'
import { priceRefreshRoutes } from '../http/routes/pricing/price-refresh.ts'
import { pricingHistoryRoutes, pricingRoutes } from '../http/routes/pricing/pricing.ts'
import { comparisonRoutes, recommendationRoutes } from '../http/routes/pricing/recommendations.ts'
import { unpricedKindRoutes } from '../http/routes/pricing/reviews.ts'
import type { Routes } from '../http/server.ts'
import { enabledProviders, type PricingDeps, UnknownProvider } from '../market/market.ts'
import { OwnPriceCache } from '../market/own-prices.ts'
import type { MarketplaceDeps } from '../operations/marketplace/register-marketplace.ts'
import { readAnyFile } from '../program-files.ts'
import { logOutcomes, prepareRefresh, providerOutcomes } from '../refresh/prepare.ts'
import { RequestedRefresh } from '../refresh/requested-refresh.ts'
import { freshnessOf, refreshJob } from '../refresh/schedule.ts'
import { ServedCatalogue } from './served-catalogue.ts'
import type { Job, ServiceContext, ServicePart } from './service-part.ts'

/** Prices, cheaper machines, and the refresh of prices. */
export async function pricingPart(context: ServiceContext) {
  const { store, settings, metrics, now } = context
  const enabled = providersOf(settings)
  const file = settings.catalogue === '' ? shippedCatalogue : settings.catalogue
  const served = await ServedCatalogue.load({ ...context, file, providers: enabled.providers })
  const ownPrices = new OwnPriceCache({ store })
  const deps: PricingDeps = { ...enabled, catalogue: served.current, own: ownPrices.of }
  const refreshing = refreshJobs(context, file, served.manifest)
  const requested = new RequestedRefresh({
    ...context,
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
      unpricedKindRoutes(),
      priceRefreshRoutes(requested),
    ],
    start: () => served.follow(),
    onChange: async (topic) => {
      if (topic === 'catalogue') await served.follow()
      await ownPrices.onTopicChange(topic)
    },
    jobs: refreshing.jobs,
    stop: async () => {
      await Promise.all([refreshing.stop(), requested.stop()])
    },
    reload: () => served.reload(),
  } satisfies ServicePart & Record<string, unknown>
}

const priceRoutes = (
  { store, now }: ServiceContext,
  deps: PricingDeps,
  manifest: () => BuildManifest,
): Routes[] => [
  recommendationRoutes(deps),
  computeRoutes(deps),
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

/** The job that refreshes prices regularly, if the operator has enabled it. */
export function refreshJobs(
  { settings, environment, store, now, log }: ServiceContext,
  catalogueFile: string,
  served: () => BuildManifest,
): { jobs: readonly Job[]; stop(): Promise<void> } {
  if (settings.refreshHours === 0) return { jobs: [], stop: async () => {} }
  const stopping = new AbortController()
  const prepared = prepareRefresh({
    environment,
    signal: stopping.signal,
    onProgress: (line) => log('info', 'refreshing prices', { ...line }),
  })
  const job = refreshJob({
    store,
    now,
    served,
    shipped: () => readAnyFile(catalogueFile),
    refresh: prepared.run,
    holder: `service ${crypto.randomUUID()}`,
    betweenMs: settings.refreshHours * hourMs,
    onDone: (outcome) => {
      if (outcome.kind === 'elsewhere') return
      logOutcomes(providerOutcomes(outcome.refreshed.manifest, prepared.providers), log)
    },
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

/** Metrics of the age of each provider's prices and the outcome of its last refresh. */
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
