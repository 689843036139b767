import type { Snapshot } from '../../catalogue/snapshot/snapshot.ts'
import type { Routes } from '../../server/server.ts'
import type { Store } from '../../store/port.ts'
import { type Call, CommandFailure } from '../command.ts'

/** A refresh by this process, with the credentials of its environment, published to the database. */
export async function localRefresh(store: Store, call: Call): Promise<Routes[]> {
  const { RequestedRefresh } = await import('../../catalogue/refresh/requested-refresh.ts')
  const { shippedCatalogue } = await import('../../catalogue/load-catalogue.ts')
  const { readAnyFile } = await import('../../runtime/program-files.ts')
  const { providerKeys } = await import('../../pricing/market.ts')
  const { priceRefreshRoutes } = await import('../../server/routes/pricing/price-refresh.ts')
  const { environment, settings } = call
  const refresh = new RequestedRefresh({
    store,
    environment,
    enabled: providerKeys(settings.providers),
    recordTo: call.text('record'),
    now: Date.now,
    shipped: () => readAnyFile(settings.catalogue === '' ? shippedCatalogue : settings.catalogue),
    holder: `catalogue refresh ${process.pid}`,
    log: (_level, _message, { provider, text } = {}) => {
      if (text !== undefined) call.err(provider === '' ? `${text}` : `${provider}: ${text}`)
    },
    reportError: (_level, message, error) => call.err(`cheapside: ${message}: ${(error as Error).message}`),
  })
  return [priceRefreshRoutes(refresh)]
}

/** The catalogue as it was last published. */
export async function publishedCatalogue(store: Store): Promise<Routes[]> {
  const { catalogueRoutes } = await import('../../server/routes/pricing/catalogue.ts')
  const { decodeSnapshot } = await import('../../catalogue/snapshot/snapshot.ts')
  const { noOwnPrices } = await import('../../pricing/market.ts')
  const published = await store.prices.latest()
  if (published === undefined) throw new CommandFailure('no prices were published')
  return [
    catalogueRoutes({ ...(await catalogueOf(decodeSnapshot(published.bytes))), own: () => noOwnPrices }),
  ]
}

/** Describes a snapshot that is not searched. */
export async function catalogueOf(snapshot: Snapshot) {
  const { Catalogue } = await import('../../catalogue/catalogue.ts')
  const { enabledProviders } = await import('../../pricing/market.ts')
  const catalogue = Catalogue.fromSnapshot(snapshot, {})
  const enabled = enabledProviders(snapshot.manifest.providers.map(({ provider }) => provider))
  return { ...enabled, catalogue: () => catalogue, manifest: () => snapshot.manifest }
}
