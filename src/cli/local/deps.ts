import type { Snapshot } from '../../catalogue/snapshot/snapshot.ts'
import type { SizesDeps } from '../../recommendations/containers/size-namespaces.ts'
import type { RecommendationListDeps } from '../../recommendations/list/list-recommendations.ts'
import type { MachinesDeps } from '../../recommendations/machines/deps.ts'
import { noticeOfData } from '../../runtime/data-directory.ts'
import type { Routes } from '../../server/server.ts'
import type { Store } from '../../store/port.ts'
import { type Call, CommandFailure } from '../command.ts'

// What operations need to run in this process, on the database of this machine. Modules are loaded when they are needed,
// so that all commands start fast.

/** Opens the store for one short command. A running service on the same database sees its changes. */
export async function withStore<Result>(
  { settings, environment, err }: Call,
  use: (store: Store) => Promise<Result>,
): Promise<Result> {
  const { databaseUrl, data } = settings
  const notice = databaseUrl === '' ? noticeOfData(data, environment) : undefined
  if (notice !== undefined) err(`cheapside: ${notice}`)
  const { openStore } = await import('../../store/open.ts')
  const store = await openStore({ dataDirectory: data, databaseUrl })
  try {
    return await use(store)
  } finally {
    await store.close()
  }
}

/** Also returns the prices as the rules of organisations change them. */
export async function pricingOn(store: Store, { settings }: Call) {
  const { offlinePricing } = await import('../commands/pricing/offline-pricing.ts')
  const { OwnPriceCache } = await import('../../pricing/own-prices/own-prices.ts')
  const { readCommitments } = await import('../../pricing/commitments/store-commitments.ts')
  const { ruledPricesOf } = await import('../../server/wiring/pricing-part.ts')
  const own = new OwnPriceCache({ store })
  const listed = await offlinePricing(settings)
  const ruledPrices = ruledPricesOf(store, Date.now, listed.providers, listed.catalogue)
  return {
    ...listed,
    own: own.of,
    ruled: ruledPrices.of,
    ruledPrices,
    commitments: (organisation: string) => readCommitments(store.settings, organisation),
  }
}

export async function sizesOn(store: Store, call: Call): Promise<SizesDeps> {
  const { sizesDeps } = await import('../../server/wiring/sizes-part.ts')
  return sizesDeps(store, await pricingOn(store, call), Date.now)
}

export async function machinesOn(store: Store, call: Call): Promise<MachinesDeps> {
  const { machinesDeps } = await import('../../server/wiring/machines-part.ts')
  return machinesDeps(store, Date.now, await pricingOn(store, call))
}

export async function recommendationOn(store: Store, call: Call): Promise<RecommendationListDeps> {
  const { recommendationDeps } = await import('../../server/wiring/recommendations-part.ts')
  const { machinesDeps } = await import('../../server/wiring/machines-part.ts')
  const { sizesDeps } = await import('../../server/wiring/sizes-part.ts')
  const [now, pricing] = [Date.now, await pricingOn(store, call)]
  const sizes = sizesDeps(store, pricing, now)
  return recommendationDeps({ store, now, sizes, machines: machinesDeps(store, now, pricing) })
}

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
