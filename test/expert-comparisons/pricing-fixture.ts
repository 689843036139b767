import { type LoadedCatalogue, loadCatalogue, shippedCatalogue } from '../../src/catalogue/load-catalogue.ts'
import { enabledProviders, noOwnPrices, type PricingDeps } from '../../src/pricing/market.ts'

/** Pricing on the shipped catalogue, as in the service. */
export async function shippedPricing(): Promise<{ deps: PricingDeps; loaded: LoadedCatalogue }> {
  const on = enabledProviders([])
  const loaded = await loadCatalogue(shippedCatalogue, on.providers)
  return { deps: { catalogue: () => loaded.catalogue, ...on, own: () => noOwnPrices }, loaded }
}

export const providerKeyOf = ({ findProvider }: PricingDeps, name: string): string =>
  findProvider(name)?.key ?? name
