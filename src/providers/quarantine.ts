import type { QuarantinedPrice } from '../domain/manifest.ts'
import type { Offer } from '../domain/offer.ts'
import { median } from '../domain/quantity.ts'

interface Quarantine {
  readonly kept: Offer[]
  readonly quarantined: QuarantinedPrice[]
}

const minRegions = 3
const minShareOfMedian = 1 / 3
/** The tolerance by which a price of exactly a third is kept in spite of binary rounding. */
const slack = 1e-12

/**
 * Separates absurd prices from the others, so that none of them appears as savings. The order is kept.
 * - An on-demand or reserved price is absurd below a third of the median of the same type, operating system, usage type
 *   and term over its regions, if it has three or more. Spot prices are not compared, because they do move that much.
 * - Any Windows price is absurd that is not above the Linux price of the same type, place, usage type and term, because
 *   it includes a licence in addition.
 */
export function quarantine(offers: readonly Offer[]): Quarantine {
  const groups = offers.map(groupFinder())
  offers.forEach((offer, i) => {
    if (!isPrice(offer.pricePerHourUsd)) return
    groups[i]?.prices.push(offer.pricePerHourUsd)
    groups[i]?.regions.add(offer.region)
  })
  const linuxPriceOf = linuxPrices(offers)
  const kept: Offer[] = []
  const quarantined: QuarantinedPrice[] = []
  offers.forEach((offer, i) => {
    const median = groups[i] === null ? null : medianOf(groups[i]!)
    const reason = reasonAgainst(offer.pricePerHourUsd, median, linuxPriceOf(offer))
    if (reason === null) kept.push(offer)
    else quarantined.push(quarantinedPrice(offer, median, reason))
  })
  return { kept, quarantined }
}

function reasonAgainst(price: number, median: number | null, linuxPrice: number | null): string | null {
  if (!isPrice(price)) return 'not a positive price'
  if (median !== null && price < median * minShareOfMedian * (1 - slack))
    return 'below a third of the median over its regions'
  if (linuxPrice !== null && price <= linuxPrice)
    return 'Windows at or below the Linux price in the same place'
  return null
}

function linuxPrices(offers: readonly Offer[]): (offer: Offer) => number | null {
  const key = ({ provider, instanceType, usageType, term, region, zone }: Offer): string =>
    `${instanceType}\n${usageType}\n${term}\n${region}\n${zone}\n${provider}`
  const prices = new Map<string, number>()
  for (const offer of offers) {
    if (offer.operatingSystem !== 'Linux' || !isPrice(offer.pricePerHourUsd)) continue
    prices.set(key(offer), Math.min(offer.pricePerHourUsd, prices.get(key(offer)) ?? Infinity))
  }
  return (offer) => (offer.operatingSystem === 'Windows' ? (prices.get(key(offer)) ?? null) : null)
}

interface Group {
  readonly prices: number[]
  readonly regions: Set<string>
  median?: number | null
}

/** Returns a function that gives offers which differ only in place the same group, and a spot offer none. */
function groupFinder(): (offer: Offer) => Group | null {
  const groups = new Map<string, Group>()
  return ({ provider, instanceType, operatingSystem, usageType, term }) => {
    if (usageType === 'SPOT_PREEMPTIBLE') return null
    const key = `${instanceType}\n${operatingSystem}\n${usageType}\n${term}\n${provider}`
    const group = groups.get(key) ?? { prices: [], regions: new Set() }
    groups.set(key, group)
    return group
  }
}

function medianOf(group: Group): number | null {
  if (group.median === undefined) group.median = group.regions.size < minRegions ? null : median(group.prices)
  return group.median
}

const isPrice = (price: number): boolean => Number.isFinite(price) && price > 0

export function quarantinedPrice(offer: Offer, median: number | null, reason: string): QuarantinedPrice {
  return {
    provider: offer.provider,
    region: offer.region,
    zone: offer.zone,
    instanceType: offer.instanceType,
    operatingSystem: offer.operatingSystem,
    usageType: offer.usageType,
    term: offer.term,
    pricePerHourUsd: offer.pricePerHourUsd,
    medianPerHourUsd: median,
    reason,
  }
}
