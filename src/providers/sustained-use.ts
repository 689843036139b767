import { hoursPerMonth, round } from '../domain/money.ts'
import type { Offer } from '../domain/offer.ts'
import type { Provider } from '../domain/provider.ts'

/**
 * Returns what a whole month costs at most if the provider discounts sustained use; null if it does not. Prices with a
 * licence have no discount here, because it does not apply to the licence, whose part of the price is not known.
 */
export function sustainedUseCapUsd(
  provider: Provider,
  price: Pick<Offer, 'instanceType' | 'operatingSystem' | 'usageType' | 'pricePerHourUsd'>,
): number | null {
  if (price.usageType !== 'ONDEMAND' || price.operatingSystem !== 'Linux') return null
  const discount = provider.sustainedUseDiscountOf?.(price.instanceType) ?? 0
  return discount === 0 ? null : round(price.pricePerHourUsd * hoursPerMonth * (1 - discount), 4)
}
