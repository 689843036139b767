import { Gauge } from 'prom-client'
import { CatalogueHolder } from '../catalogue/catalogue.ts'
import {
  CatalogueFileError,
  type LoadedCatalogue,
  loadCatalogue,
  shippedCatalogue,
} from '../catalogue/load-catalogue.ts'
import { type BuildManifest, isNewerManifest } from '../domain/manifest.ts'
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
import { enabledProviders, type PricingDeps } from '../market/market.ts'
import { OwnPriceCache } from '../market/own-prices.ts'
import { readAnyFile } from '../program-files.ts'
import { catalogueFollower, unpackInThread } from '../refresh/follow.ts'
import { logOutcomes, prepareRefresh, providerOutcomes } from '../refresh/prepare.ts'
import { RequestedRefresh } from '../refresh/requested-refresh.ts'
import { freshnessOf, refreshJob } from '../refresh/schedule.ts'
import type { Job, ServiceContext, ServicePart } from './service-part.ts'

/** Prices, cheaper machines, and the refresh of prices. */
export async function pricingPart(context: ServiceContext) {
  const { store, settings, metrics, log, reportError, now } = context
  const enabled = enabledProviders(settings.providers)
  const file = settings.catalogue === '' ? shippedCatalogue : settings.catalogue
  const first = await loadAtStart()
  const holder = new CatalogueHolder(first.catalogue)
  let current: BuildManifest = first.manifest
  let isPublished = false
  const manifest = () => current
  const ownPrices = new OwnPriceCache({ store })
  const deps: PricingDeps = {
    ...enabled,
    catalogue: holder.current,
    own: ownPrices.of,
  }
  const marketplace = { store, ownPrices, findProvider: enabled.findProvider }
  metrics.gauge('cheapside_catalogue_offers', 'Offers in the catalogue.', () => holder.current().offerCount)
  watchFreshness(metrics, manifest, now)

  async function loadAtStart() {
    try {
      return await loadCatalogue(file, enabled.providers)
    } catch (error) {
      if (!(error instanceof CatalogueFileError) || file === shippedCatalogue) throw error
      log('error', `${error.message}; the shipped catalogue is served instead`)
      return loadCatalogue(shippedCatalogue, enabled.providers)
    }
  }

  function serve(next: LoadedCatalogue, why: string): void {
    holder.swap(next.catalogue)
    current = next.manifest
    log('info', `${why}: ${next.catalogue.offerCount} offers, built ${next.manifest.builtAt}`)
  }

  const follow = catalogueFollower({
    store,
    served: manifest,
    unpack: (bytes) => unpackInThread(bytes, enabled.providers),
    serve: (next) => {
      const isRefreshed = next.manifest.builtAt !== current.builtAt
      serve(
        next,
        isRefreshed ? 'refreshed prices are served' : 'no price list was read; the same prices are served',
      )
      isPublished = true
    },
    onUnreadable: ({ message }) =>
      log(
        'error',
        `the published prices cannot be read (${message}); the current ones stay in use until new ones are published`,
      ),
  })
  const refreshing = refreshJobs(context, file, manifest)
  const requested = new RequestedRefresh({
    ...context,
    shipped: () => readAnyFile(file),
    holder: `request ${crypto.randomUUID()}`,
  })

  return {
    deps,
    holder,
    manifest,
    routes: [
      recommendationRoutes(deps),
      computeRoutes(deps),
      comparisonRoutes({ ...deps, now }),
      instanceTypeRoutes({ ...deps, now }),
      pricingRoutes(deps),
      pricingHistoryRoutes({ ...deps, store, manifest, now }),
      providerRoutes(deps),
      catalogueRoutes({ ...deps, manifest }),
      marketplaceRoutes(marketplace),
      computeMarketplaceRoutes(marketplace),
      unpricedKindRoutes(),
      priceRefreshRoutes(requested),
    ],
    start: () => follow(),
    onChange: async (topic) => {
      if (topic === 'catalogue') await follow()
      await ownPrices.onTopicChange(topic)
    },
    jobs: refreshing.jobs,
    stop: async () => {
      await Promise.all([refreshing.stop(), requested.stop()])
    },
    /**
     * Reads the catalogue file again. If it is not usable or older than the published prices, the served prices do not
     * change.
     */
    reload: async () => {
      try {
        const next = await loadCatalogue(file, enabled.providers)
        if (isPublished && isNewerManifest(current, next.manifest)) {
          log(
            'info',
            `the catalogue was reloaded, built ${next.manifest.builtAt}; newer refreshed prices stay in use`,
          )
          return
        }
        serve(next, 'the catalogue was reloaded')
        isPublished = false
      } catch (error) {
        log('error', `${(error as Error).message}; the last valid catalogue stays in use`)
        return
      }
      await follow({ force: true }).catch((error) =>
        reportError('warn', 'checking for published prices failed', error),
      )
    },
  } satisfies ServicePart & Record<string, unknown>
}

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
