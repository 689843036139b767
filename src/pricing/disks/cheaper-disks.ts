import type { DescribedDisk, DiskNeed, DiskOffer, DiskTrait } from '../../domain/disk.ts'
import { hoursPerMonth } from '../../domain/money.ts'
import { cheapestDisks, type PricedDisk } from './disk-price.ts'

/** What was measured of a disk; what is absent is unknown. */
export interface DiskUsage {
  readonly capacityGib?: number | undefined
  readonly iops?: number | undefined
  readonly throughputMbps?: number | undefined
}

/** The share of what a disk does that its usage may take. */
const targetUtilisation = 0.8

/**
 * Returns what a replacement must do: what is used, with reserve, but no more than the disk does now unless it is already
 * overloaded. It is never smaller, because no cloud shrinks a disk. What was not measured stays as it is.
 */
export function diskNeed(current: PricedDisk, capacityGib: number, usage: DiskUsage): DiskNeed {
  const needed = (used: number | undefined, has: number): number =>
    used === undefined || used > has ? Math.max(used ?? 0, has) : Math.min(used / targetUtilisation, has)
  return {
    capacityGib: Math.max(capacityGib, usage.capacityGib ?? 0),
    iops: needed(usage.iops, current.iops),
    throughputMbps: needed(usage.throughputMbps, current.throughputMbps),
  }
}

/**
 * Returns cheaper disks that do what is needed, the cheapest of each type and region. Unless its type is named, a disk may
 * not become slower to answer, lose its copy in a second zone, or be charged for more than its price here.
 */
export function cheaperDisks(
  current: PricedDisk,
  need: DiskNeed,
  offers: readonly DiskOffer[],
  isNamed: (offer: DiskOffer) => boolean,
): PricedDisk[] {
  const has = new Set(current.offer.traits)
  const isComparable = ({ traits }: DiskOffer): boolean =>
    traits.every((trait) => has.has(trait) || !worse.has(trait)) &&
    (!has.has('replicated') || traits.includes('replicated'))
  const comparable = offers.filter((offer) => isNamed(offer) || isComparable(offer))
  const best = new Map<string, PricedDisk>()
  for (const disk of cheapestDisks(comparable, need)) {
    const { provider, region, type } = disk.offer
    if (isWorthwhile(current.pricePerHourUsd, disk.pricePerHourUsd))
      best.getOrInsert([provider, region, type].join('\n'), disk)
  }
  return [...best.values()]
}

const worse: ReadonlySet<DiskTrait> = new Set(['hdd', 'other-charges'])

/** As for machines: nobody changes a disk for less than half a percent of its price if that is less than $10 a month. */
const isWorthwhile = (nowUsd: number, otherUsd: number): boolean => {
  const saved = nowUsd - otherUsd
  return saved > 0 && (saved >= 0.005 * nowUsd || saved * hoursPerMonth >= 10)
}

export function diskChanges(current: DiskOffer, other: DiskOffer): string[] {
  const lost = current.traits.filter((trait) => !other.traits.includes(trait))
  const gained = other.traits.filter((trait) => !current.traits.includes(trait))
  const names = (['provider', 'region', 'type', 'tier'] as const).filter(
    (name) => current[name] !== other[name],
  )
  return [...names, ...lost.map((trait) => `not ${trait}`), ...gained]
}

/** Returns the offers that a name of a type or tier means, in any letter case: gp3, Premium_LRS, P10, "P10 LRS". */
export function offersNamed(offers: readonly DiskOffer[], name: string): DiskOffer[] {
  const wanted = name.trim().toLowerCase()
  return offers.filter((offer) => namesOf(offer).includes(wanted))
}

function namesOf({ type, tier }: DiskOffer): string[] {
  const redundancy = type.split('_')[1] ?? ''
  const names =
    tier === ''
      ? [type]
      : redundancy === 'LRS'
        ? [type, tier, `${tier} LRS`]
        : [type, `${tier} ${redundancy}`]
  return names.map((name) => name.toLowerCase())
}

/** Puts own prices in place of those of the list, whose types keep their limits. */
export function withOwnPrices(offers: readonly DiskOffer[], own: readonly DiskOffer[]): DiskOffer[] {
  if (own.length === 0) return [...offers]
  const keyOfOffer = ({ region, type }: DiskOffer): string => `${region}\n${type}`.toLowerCase()
  const prices = new Map(own.map((offer) => [keyOfOffer(offer), offer]))
  return offers.map((offer) => {
    const mine = offer.tier === '' ? prices.get(keyOfOffer(offer)) : undefined
    if (mine === undefined) return offer
    const { gibPerHourUsd, iopsPerHourUsd, mbpsPerHourUsd, source, day, isEstimate } = mine
    return { ...offer, gibPerHourUsd, iopsPerHourUsd, mbpsPerHourUsd, source, day, isEstimate }
  })
}

/** Returns the price of a disk as it is; undefined if no offer holds it. */
export const currentDisk = (offers: readonly DiskOffer[], disk: DescribedDisk): PricedDisk | undefined =>
  cheapestDisks(offers, {
    capacityGib: disk.capacityGib,
    iops: disk.iops ?? 0,
    throughputMbps: disk.throughputMbps ?? 0,
  })[0]
