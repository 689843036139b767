import type { Settings } from '../../../config.ts'
import type { PricingDeps } from '../../../pricing/market.ts'
import { CommandFailure } from '../../command.ts'

/** Pricing without a server: only the catalogue, no own prices. */
export async function offlinePricing({
  catalogue: file,
  providers: more,
}: Pick<Settings, 'catalogue' | 'providers'>): Promise<PricingDeps> {
  const { CatalogueFileError, loadCatalogue, shippedCatalogue } = await import(
    '../../../catalogue/load-catalogue.ts'
  )
  const { noOwnPrices, enabledProviders, UnknownProvider } = await import('../../../pricing/market.ts')
  try {
    const on = enabledProviders(more)
    const { catalogue, manifest } = await loadCatalogue(file === '' ? shippedCatalogue : file, on.providers)
    return { ...on, catalogue: () => catalogue, own: () => noOwnPrices, exchange: () => manifest.exchange }
  } catch (error) {
    if (error instanceof CatalogueFileError || error instanceof UnknownProvider)
      throw new CommandFailure(error.message)
    throw error
  }
}
