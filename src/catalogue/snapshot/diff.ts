import type { Offer } from '../../domain/offer.ts'
import { median } from '../../domain/quantity.ts'
import { compareText } from '../columns/dictionary.ts'
import { offersIn } from '../columns/offer-view.ts'
import type { Snapshot } from './snapshot.ts'

export interface ProviderDiff {
  readonly provider: string
  readonly offersBefore: number
  readonly offersAfter: number
  readonly added: number
  readonly removed: number
  readonly moved: number
  /** Median change of the prices that moved; 0 if none moved. */
  readonly medianMovePercent: number
  /** Largest percentage first. */
  readonly largestMoves: readonly PriceMove[]
  readonly typesAdded: readonly string[]
  readonly typesRemoved: readonly string[]
  readonly regionsAdded: readonly string[]
  readonly regionsRemoved: readonly string[]
}

interface PriceMove {
  readonly offer: Offer
  readonly beforePerHourUsd: number
  readonly afterPerHourUsd: number
  /** Infinity if it was free before. */
  readonly percent: number
}

/** Sorted by provider. Two offers are the same if they differ only in price, facts and origin. */
export function diffSnapshots(before: Snapshot, after: Snapshot, largest = 10): ProviderDiff[] {
  const old = byProvider(before)
  const next = byProvider(after)
  return [...new Set([...old.keys(), ...next.keys()])]
    .sort(compareText)
    .map((provider) =>
      diffOf(provider, old.get(provider) ?? new Map(), next.get(provider) ?? new Map(), largest),
    )
}

type Keyed = ReadonlyMap<string, Offer>

function diffOf(provider: string, before: Keyed, after: Keyed, largest: number): ProviderDiff {
  const moves: PriceMove[] = []
  let kept = 0
  for (const [key, offer] of after) {
    const old = before.get(key)
    if (old === undefined) continue
    kept++
    if (old.pricePerHourUsd !== offer.pricePerHourUsd) moves.push(moveOf(old, offer))
  }
  moves.sort((a, b) => Math.abs(b.percent) - Math.abs(a.percent))
  return {
    provider,
    offersBefore: before.size,
    offersAfter: after.size,
    added: after.size - kept,
    removed: before.size - kept,
    moved: moves.length,
    medianMovePercent: moves.length === 0 ? 0 : median(moves.map((m) => m.percent)),
    largestMoves: moves.slice(0, largest),
    typesAdded: missing(after, before, (o) => o.instanceType),
    typesRemoved: missing(before, after, (o) => o.instanceType),
    regionsAdded: missing(after, before, (o) => o.region),
    regionsRemoved: missing(before, after, (o) => o.region),
  }
}

function byProvider({ columns }: Snapshot): Map<string, Map<string, Offer>> {
  const found = new Map<string, Map<string, Offer>>()
  for (const offer of offersIn(columns)) {
    let offers = found.get(offer.provider)
    if (offers === undefined) {
      offers = new Map()
      found.set(offer.provider, offers)
    }
    offers.set(keyOf(offer), offer)
  }
  return found
}

function keyOf(o: Offer): string {
  return [o.instanceType, o.operatingSystem, o.usageType, o.term, o.region, o.zone, o.service].join('\n')
}

function moveOf(before: Offer, offer: Offer): PriceMove {
  const change = offer.pricePerHourUsd - before.pricePerHourUsd
  return {
    offer,
    beforePerHourUsd: before.pricePerHourUsd,
    afterPerHourUsd: offer.pricePerHourUsd,
    percent: (100 * change) / before.pricePerHourUsd,
  }
}

function missing(offers: Keyed, others: Keyed, nameOf: (offer: Offer) => string): string[] {
  const known = new Set(Array.from(others.values(), nameOf))
  return [...new Set(Array.from(offers.values(), nameOf))]
    .filter((name) => !known.has(name))
    .sort(compareText)
}
