import { shippedDisks } from '../../catalogue/shipped-facts.ts'
import type { DescribedDisk, DiskOffer } from '../../domain/disk.ts'
import { hoursPerMonth, roundSum } from '../../domain/money.ts'
import { NotFound } from '../../domain/not-found.ts'
import { cheaperDisks, currentDisk, diskNeed, withOwnPrices } from './cheaper-disks.ts'
import type { PricedDisk } from './disk-price.ts'
import { type DiskDeps, findDisk, same } from './find-disk.ts'
import type { VolumeView } from './volume-schema.ts'

/** A claim of Kubernetes with what was measured of it; what is absent is unknown. */
export interface MeasuredClaim {
  readonly namespace: string
  readonly name: string
  readonly storageClass: string
  readonly capacityGib: number
  readonly usedGib?: number | undefined
  readonly iops?: number | undefined
  readonly throughputMbps?: number | undefined
}

export interface ClaimRecommendation {
  readonly claim: MeasuredClaim
  readonly current: PricedDisk | NotFound
  /** A disk of at least the same size that does what is needed for less. */
  readonly better?: PricedDisk | undefined
  /** What a disk of 1.25 times the used size would save; only a new claim and a copy get it, because no disk shrinks. */
  readonly unusedPerHourUsd: number
}

/** Classes that managed clusters have from the start: documentation of GKE and AKS. */
const typesOfClasses: Readonly<Record<string, string>> = {
  standard: 'pd-standard',
  'standard-rwo': 'pd-balanced',
  'premium-rwo': 'pd-ssd',
  default: 'StandardSSD_LRS',
  managed: 'StandardSSD_LRS',
  'managed-premium': 'Premium_LRS',
  'managed-csi': 'StandardSSD_LRS',
  'managed-csi-premium': 'Premium_LRS',
}

/** A class means the type of disk after which it is named, as gp3, ebs-gp3 and Premium_LRS are, unless it is a known one. */
export function diskTypeOfClass(storageClass: string, types: readonly string[]): string {
  const name = storageClass.toLowerCase()
  const [longest] = types
    .filter((type) => hasWord(name, type.toLowerCase()))
    .sort((a, b) => b.length - a.length)
  return longest ?? (Object.hasOwn(typesOfClasses, name) ? typesOfClasses[name]! : storageClass)
}

const hasWord = (name: string, word: string): boolean => {
  const at = name.indexOf(word)
  return at >= 0 && !/[a-z0-9]/.test((name[at - 1] ?? '') + (name[at + word.length] ?? ''))
}

/** The share of a disk that may be full. */
const targetFill = 0.8

export interface DiskPlace {
  readonly provider: string
  readonly region: string
  /** The type of a disk, if it is not the one after which the class is named. */
  readonly type?: string | undefined
  /** Own prices of the organisation. Those of a type with the name of a class come first. */
  readonly own?: readonly DiskOffer[]
}

/** Finds what the disk of a claim costs: at the own price of a type with the name of its class first. */
export function priceClaim(
  deps: DiskDeps,
  { storageClass, capacityGib }: Pick<MeasuredClaim, 'storageClass' | 'capacityGib'>,
  { provider, region, type, own = [] }: DiskPlace,
): PricedDisk | NotFound {
  const disk = { provider, region, capacityGib, iops: undefined, throughputMbps: undefined }
  const here = offersAt(deps, { provider, region, own })
  const types = [...new Set(here.map((offer) => offer.type))]
  const wanted = type ?? diskTypeOfClass(storageClass, types)
  const mine = own.filter((offer) => same(offer.region, region) && same(offer.type, type ?? storageClass))
  const sold = types.some((one) => same(one, wanted))
    ? here.filter((offer) => same(offer.type, wanted))
    : mine
  return (
    (own.length > 0 ? currentDisk(sold, { ...disk, type: wanted }) : undefined) ??
    findDisk(deps, [], { ...disk, type: wanted })
  )
}

function offersAt(deps: DiskDeps, { provider, region, own = [] }: DiskPlace): DiskOffer[] {
  const key = deps.findProvider(provider)?.key ?? provider
  return withOwnPrices(
    shippedDisks(key).filter((offer) => same(offer.region, region)),
    own,
  )
}

/** Finds a cheaper disk for a claim in its region. It is never smaller, and keeps the speed that was not measured. */
export function adviseClaim(deps: DiskDeps, claim: MeasuredClaim, place: DiskPlace): ClaimRecommendation {
  const { capacityGib, usedGib, iops, throughputMbps } = claim
  const current = priceClaim(deps, claim, place)
  if (current instanceof NotFound) return { claim, current, unusedPerHourUsd: 0 }
  const { provider, region } = current.offer
  const offers = offersAt(deps, { provider, region, ...(place.own && { own: place.own }) })
  const need = diskNeed(current, capacityGib, { iops, throughputMbps })
  const [better] = cheaperDisks(current, need, offers, () => false)
  const alike = offers.filter(({ type }) => type === (better ?? current).offer.type)
  return {
    claim,
    current,
    better,
    unusedPerHourUsd: unusedOf(better ?? current, alike, capacityGib, usedGib),
  }
}

/** Finds a cheaper disk for one in its region, with the same size, IOPS and throughput. */
export function adviseDisk(
  deps: DiskDeps,
  disk: DescribedDisk,
): Pick<ClaimRecommendation, 'current' | 'better' | 'unusedPerHourUsd'> {
  const current = findDisk(deps, [], disk)
  if (current instanceof NotFound) return { current, unusedPerHourUsd: 0 }
  const { provider, region } = current.offer
  const offers = offersAt(deps, { provider, region })
  const [better] = cheaperDisks(current, diskNeed(current, disk.capacityGib, {}), offers, () => false)
  return { current, better, unusedPerHourUsd: 0 }
}

function unusedOf(
  disk: PricedDisk,
  offers: readonly DiskOffer[],
  capacityGib: number,
  usedGib: number | undefined,
): number {
  if (usedGib === undefined || usedGib >= capacityGib / 2) return 0
  const { iops, throughput }: DiskOffer = disk.offer
  const smaller = currentDisk(offers.length === 0 ? [disk.offer] : offers, {
    ...disk.offer,
    capacityGib: Math.max(1, Math.ceil(usedGib / targetFill)),
    // Only IOPS that were bought, not those that come with the size.
    iops: iops.perGib > 0 ? undefined : disk.iops,
    throughputMbps: throughput.perGib > 0 ? undefined : disk.throughputMbps,
  })
  return smaller === undefined ? 0 : Math.max(0, disk.pricePerHourUsd - smaller.pricePerHourUsd)
}

export const diskMonthUsd = (perHourUsd: number): number => roundSum(perHourUsd * hoursPerMonth)

export const diskName = ({ type, tier }: { readonly type: string; readonly tier: string }): string =>
  tier === '' ? type : `${type} ${tier}`

/** Differences are of months as they are shown, so that columns add up. */
export function viewSavings({
  current,
  better,
  unusedPerHourUsd,
}: Omit<ClaimRecommendation, 'claim'>): Pick<VolumeView, 'better' | 'smaller_saves_per_month'> {
  const smaller_saves_per_month = diskMonthUsd(unusedPerHourUsd)
  if (current instanceof NotFound || better === undefined) return { better: null, smaller_saves_per_month }
  const cost_per_month = diskMonthUsd(better.pricePerHourUsd)
  return {
    better: {
      type: better.offer.type,
      tier: better.offer.tier,
      size_gib: better.billedGib,
      iops: better.iops,
      throughput_mbps: better.throughputMbps,
      cost_per_month,
      savings_per_month: roundSum(diskMonthUsd(current.pricePerHourUsd) - cost_per_month),
    },
    smaller_saves_per_month,
  }
}
