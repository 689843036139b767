import type { QuarantinedPrice } from '../../domain/manifest.ts'
import { type Offer, usageTypes } from '../../domain/offer.ts'
import { median } from '../../domain/quantity.ts'
import { offerKey } from '../../providers/describe-offers.ts'
import { quarantinedPrice } from '../../providers/quarantine.ts'

/** How far a new list may be from the one before it. */
const tolerances = {
  minShareOfOffers: 0.5,
  minShareOfRegions: 0.8,
  /** Smallest share of the on-demand machines (type, operating system and region) that must still have a price. */
  minCoverage: 0.8,
  /** The median of new price / old price. */
  medianMove: { ONDEMAND: [0.6, 1.7], RESERVED: [0.6, 1.7], SPOT_PREEMPTIBLE: [0.25, 4] },
  /** Largest share of on-demand and reserved prices that may change by a factor of three or more. */
  maxShareOfLeaps: 0.05,
  maxShareQuarantined: 0.05,
  /** Fewer prices than this are not significant. */
  fewest: 20,
} as const

export function reasonToRefuse(
  next: readonly Offer[],
  before: readonly Offer[],
  quarantined: readonly QuarantinedPrice[],
): string | undefined {
  if (next.length === 0) return 'it has no price at all'
  const share = quarantined.length / (next.length + quarantined.length)
  if (quarantined.length >= tolerances.fewest && share > tolerances.maxShareQuarantined)
    return `${percent(share)} of its prices are implausible`
  return doubtAboutCounts(next, before) ?? doubtAboutRegions(next, before) ?? doubtAboutMoves(next, before)
}

function doubtAboutCounts(next: readonly Offer[], before: readonly Offer[]): string | undefined {
  if (next.length < before.length * tolerances.minShareOfOffers)
    return `it has ${next.length} prices, but there were ${before.length} before`
  for (const usage of usageTypes) {
    const [now, then] = [next, before].map((offers) => offers.filter((o) => o.usageType === usage).length)
    if (then! >= tolerances.fewest && now! < then! * tolerances.minShareOfOffers)
      return `it has ${now} ${usage} prices, but there were ${then} before`
  }
  return undefined
}

function doubtAboutRegions(next: readonly Offer[], before: readonly Offer[]): string | undefined {
  const [regions, regionsBefore] = [next, before].map((offers) => new Set(offers.map((o) => o.region)))
  const kept = [...regionsBefore!].filter((region) => regions!.has(region)).length
  if (kept < regionsBefore!.size * tolerances.minShareOfRegions)
    return `it lacks ${regionsBefore!.size - kept} of ${regionsBefore!.size} regions`
  const machine = (o: Offer) => `${o.instanceType}\n${o.operatingSystem}\n${o.region}`
  const onDemand = (offers: readonly Offer[]) =>
    new Set(offers.filter((o) => o.usageType === 'ONDEMAND').map(machine))
  const known = onDemand(before)
  const covered = known.intersection(onDemand(next)).size
  return covered < known.size * tolerances.minCoverage
    ? `it covers ${covered} of ${known.size} machines on demand`
    : undefined
}

function doubtAboutMoves(next: readonly Offer[], before: readonly Offer[]): string | undefined {
  const old = new Map(before.map((offer) => [offerKey(offer), offer.pricePerHourUsd]))
  const moves = { ONDEMAND: [] as number[], RESERVED: [] as number[], SPOT_PREEMPTIBLE: [] as number[] }
  for (const offer of next) {
    const price = old.get(offerKey(offer))
    if (price !== undefined) moves[offer.usageType].push(offer.pricePerHourUsd / price)
  }
  for (const usage of usageTypes) {
    const [least, most] = tolerances.medianMove[usage]
    const middle = moves[usage].length === 0 ? 1 : median(moves[usage])
    if (middle < least || middle > most)
      return `the median ${usage} price is ${middle.toPrecision(3)} times what it was`
  }
  const steady = [...moves.ONDEMAND, ...moves.RESERVED]
  const leaps = steady.filter((move) => move <= 1 / 3 || move >= 3).length
  return leaps >= tolerances.fewest && leaps > steady.length * tolerances.maxShareOfLeaps
    ? `${leaps} of ${steady.length} prices changed threefold or more`
    : undefined
}

/** A price that fell below a third is usually a mistake: the old one is kept, and the change is listed as quarantined. */
export function holdBackDrops(
  next: readonly Offer[],
  before: readonly Offer[],
): { offers: Offer[]; quarantined: QuarantinedPrice[] } {
  const old = new Map(before.map((offer) => [offerKey(offer), offer]))
  const quarantined: QuarantinedPrice[] = []
  const offers = next.map((offer) => {
    const known = old.get(offerKey(offer))
    const fell = known !== undefined && offer.pricePerHourUsd < known.pricePerHourUsd / 3
    if (!fell || offer.usageType === 'SPOT_PREEMPTIBLE') return offer
    const reason = 'below a third of its last good price, which stays in use'
    quarantined.push(quarantinedPrice(offer, known.pricePerHourUsd, reason))
    return known
  })
  return { offers, quarantined }
}

const percent = (share: number): string => `${Math.round(share * 100)}%`
