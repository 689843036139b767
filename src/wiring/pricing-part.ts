import { CatalogueHolder } from '../catalogue/holder.ts'
import type { BuildManifest } from '../domain/manifest.ts'
import { catalogueRoutes } from '../http/routes/catalogue.ts'
import { marketplaceRoutes } from '../http/routes/marketplace.ts'
import { pricingRoutes } from '../http/routes/pricing.ts'
import { providerRoutes } from '../http/routes/providers.ts'
import { recommendationRoutes } from '../http/routes/recommendations.ts'
import { CatalogueFileError, loadCatalogue, shippedCatalogue } from '../operations/load-catalogue.ts'
import { MarketplaceCatalogues } from '../operations/marketplace-catalogues.ts'
import type { PricingDeps } from '../operations/pricing/deps.ts'
import { providersOn } from '../operations/pricing/providers-on.ts'
import type { Part, Surroundings } from './part.ts'

/** Where a machine would cost less. */
export async function pricingPart({ store, settings, metrics, log }: Surroundings) {
  const on = providersOn(settings.providers)
  const first = await loadAtStart()
  const holder = new CatalogueHolder(first.catalogue)
  let manifest: BuildManifest = first.manifest
  const catalogues = new MarketplaceCatalogues({ store })
  const deps: PricingDeps = {
    ...on,
    catalogue: () => holder.current,
    own: (organisation) => catalogues.of(organisation),
  }
  metrics.gauge('cheapside_catalogue_offers', 'Offers in the catalogue.', () => holder.current.offerCount)

  async function loadAtStart() {
    const file = settings.catalogue === '' ? shippedCatalogue : settings.catalogue
    try {
      return await loadCatalogue(file, on.providers)
    } catch (error) {
      if (!(error instanceof CatalogueFileError) || file === shippedCatalogue) throw error
      log('error', `${error.message}; the shipped catalogue is served instead`)
      return loadCatalogue(shippedCatalogue, on.providers)
    }
  }

  return {
    deps,
    holder,
    manifest: () => manifest,
    routes: [
      recommendationRoutes(deps),
      pricingRoutes(deps),
      providerRoutes(deps),
      catalogueRoutes({ ...deps, manifest: () => manifest }),
      marketplaceRoutes({ store, catalogues, findProvider: on.findProvider }),
    ],
    onChange: (topic) => catalogues.moved(topic),
    /** Reads the file again; if it cannot be used, what is served stays. */
    reload: async () => {
      try {
        const file = settings.catalogue === '' ? shippedCatalogue : settings.catalogue
        const next = await loadCatalogue(file, on.providers)
        holder.swap(next.catalogue)
        manifest = next.manifest
        log('info', `the catalogue was read again: ${next.catalogue.offerCount} offers`)
      } catch (error) {
        log('error', `${(error as Error).message}; the last good one stays`)
      }
    },
  } satisfies Part & Record<string, unknown>
}
