import type { DiskLimit, DiskNeed, DiskOffer } from '../../domain/disk.ts'

export interface PricedDisk {
  readonly offer: DiskOffer
  readonly pricePerHourUsd: number
  /** The size that is paid for: that of the tier, or one that is larger because IOPS grow with the size. */
  readonly billedGib: number
  readonly iops: number
  readonly throughputMbps: number
}

export function priceDisk(offer: DiskOffer, need: DiskNeed): PricedDisk | undefined {
  const { iops: iopsLimit, throughput: mbpsLimit, mbpsPerIops } = offer
  const grown = Math.max(
    sizeFor(iopsLimit, need.iops),
    sizeFor(mbpsLimit, need.throughputMbps),
    need.capacityGib,
  )
  const billedGib = Math.max(offer.minGib, grown)
  if (billedGib > offer.maxGib) return undefined
  const [freeIops, freeMbps] = [includedIn(iopsLimit, billedGib), includedIn(mbpsLimit, billedGib)]
  const throughputMbps = Math.max(freeMbps, need.throughputMbps)
  const iopsForThroughput =
    mbpsPerIops > 0 && throughputMbps > freeMbps ? Math.ceil(throughputMbps / mbpsPerIops) : 0
  const iops = Math.max(freeIops, need.iops, iopsForThroughput)
  if (iops > mostOf(iopsLimit, billedGib) || throughputMbps > mostOf(mbpsLimit, billedGib)) return undefined
  const pricePerHourUsd =
    billedGib * offer.gibPerHourUsd +
    (iops - freeIops) * offer.iopsPerHourUsd +
    (throughputMbps - freeMbps) * offer.mbpsPerHourUsd
  return { offer, pricePerHourUsd, billedGib, iops, throughputMbps }
}

/** Returns the offers that do what is needed, cheapest first; among equal ones those that do more first. */
export const cheapestDisks = (offers: readonly DiskOffer[], need: DiskNeed): PricedDisk[] =>
  offers
    .flatMap((offer) => priceDisk(offer, need) ?? [])
    .sort((a, b) => a.pricePerHourUsd - b.pricePerHourUsd || b.iops - a.iops || byName(a.offer, b.offer))

export function includedIn({ included, perGib, fromGib, max }: DiskLimit, gib: number): number {
  return Math.min(max, included + perGib * Math.max(0, gib - fromGib))
}

function mostOf(limit: DiskLimit, gib: number): number {
  const most = limit.maxPerGib > 0 ? Math.min(limit.max, limit.maxPerGib * gib) : limit.max
  return Math.max(includedIn(limit, gib), most)
}

/** Returns the smallest whole size at which a limit that grows with the size is enough; 0 if the size does not matter. */
function sizeFor({ included, perGib, fromGib, max }: DiskLimit, needed: number): number {
  if (perGib === 0 || needed <= included || needed > max) return 0
  // pd-balanced, 4,200 IOPS: 3,000 + 6 x 200 GiB. The tolerance keeps 0.1 + 0.2 from needing one more GiB.
  return Math.ceil(fromGib + (needed - included) / perGib - 1e-9)
}

function byName(a: DiskOffer, b: DiskOffer): number {
  const [left, right] = [a, b].map(({ provider, region, type, tier }) =>
    [provider, region, type, tier].join('\n'),
  )
  return left! < right! ? -1 : left! > right! ? 1 : 0
}
