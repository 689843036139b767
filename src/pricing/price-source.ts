import type { Offer, PriceSourceKind } from '../domain/offer.ts'
import { baseProvider } from '../providers/providers.ts'
import { marketplaceSource } from './own-prices/own-prices.ts'

export function priceSourceOf({ source, provider, priceRules }: Offer): PriceSourceKind {
  if (source === marketplaceSource) return 'own'
  if (provider === baseProvider.key) return 'base'
  return priceRules === undefined ? 'list' : 'rule'
}
