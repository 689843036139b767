/** Where a price comes from: a provider's list, the caller's own marketplace, or the base rates, which are an estimate. */
export const priceSources = ['list', 'own', 'base'] as const
export type PriceSourceKind = (typeof priceSources)[number]
