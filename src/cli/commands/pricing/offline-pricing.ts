import type { CatalogueDescription } from '../../../catalogue/schema.ts'
import type { Settings } from '../../../config.ts'
import type { ExchangeRate } from '../../../domain/manifest.ts'
import { dayOf } from '../../../domain/time.ts'
import type { CommitmentsView } from '../../../pricing/commitments/schema.ts'
import type { PricingDeps } from '../../../pricing/market.ts'
import type { PriceRulesView } from '../../../pricing/rules/schema.ts'
import type { Call } from '../../command.ts'
import { serverOf } from '../../server.ts'

/** Pricing without a server: only the catalogue, no own prices. */
export async function offlinePricing({
  catalogue: file,
  providers: more,
}: Pick<Settings, 'catalogue' | 'providers'>): Promise<PricingDeps> {
  const { loadCatalogue, shippedCatalogue } = await import('../../../catalogue/load-catalogue.ts')
  const { noOwnPrices, enabledProviders } = await import('../../../pricing/market.ts')
  const on = enabledProviders(more)
  const { catalogue, manifest } = await loadCatalogue(file === '' ? shippedCatalogue : file, on.providers)
  return { ...on, catalogue: () => catalogue, own: () => noOwnPrices, exchange: () => manifest.exchange }
}

/** The rate of the service that is named, or of the catalogue of this machine. */
export async function exchangeOf(settings: Settings): Promise<ExchangeRate | null | undefined> {
  const server = serverOf({ settings })
  if (server === undefined) return (await offlinePricing(settings)).exchange?.()
  return (await server.ask<CatalogueDescription>('/catalogue')).exchange
}

/** The same at the prices of the organisation if a service is named: its rules are applied here, and its commitments known. */
export async function pricingFor(call: Call): Promise<PricingDeps> {
  const listed = await offlinePricing(call.settings)
  const server = serverOf(call)
  if (server === undefined) return listed
  const { rules } = await server.ask<PriceRulesView>('/v1/price_rules')
  const { commitments } = await server.ask<CommitmentsView>('/v1/commitments')
  const { checkCommitments } = await import('../../../pricing/commitments/store-commitments.ts')
  const { checkPriceRules } = await import('../../../pricing/rules/store-rules.ts')
  const { buildRuledPrices } = await import('../../../pricing/rules/ruled-prices.ts')
  const { adjustInThread } = await import('../../../pricing/rules/adjust-in-thread.ts')
  const owned = checkCommitments(commitments)
  const ruled = await buildRuledPrices(
    listed.catalogue(),
    checkPriceRules(rules),
    dayOf(Date.now()),
    (catalogue, valid) => adjustInThread(catalogue, valid, listed.providers),
  )
  return { ...listed, ruled: () => ruled, commitments: async () => owned }
}
