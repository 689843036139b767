import { shippedDisks } from '../../catalogue/shipped-disks.ts'
import type { DiskOffer } from '../../domain/disk.ts'
import { NotFound } from '../../domain/not-found.ts'
import { cheaperDisks, diskNeed } from './cheaper-disks.ts'
import type { PricedDisk } from './disk-price.ts'
import { type DiskDeps, findDisk, same } from './find-disk.ts'

/** A claim of Kubernetes with what was measured of it; what is absent is unknown. */
export interface MeasuredClaim {
  readonly namespace: string
  readonly name: string
  readonly storageClass: string
  readonly capacityGib: number
  /** The most that was used. */
  readonly usedGib?: number | undefined
  readonly iops?: number | undefined
  readonly throughputMbps?: number | undefined
}

export interface ClaimAdvice {
  readonly claim: MeasuredClaim
  readonly current: PricedDisk | NotFound
  /** A disk of at least the same size that does what is needed for less. */
  readonly better?: PricedDisk | undefined
  /** What a disk of 1.25 times the used size would save; only a new claim and a copy get it, because no disk shrinks. */
  readonly unusedPerHourUsd: number
}

/** Classes that managed clusters have from the start: documentation of GKE and AKS. */
const typesOfClasses: Readonly<Record<string, string>> = {
  'standard-rwo': 'pd-balanced',
  'premium-rwo': 'pd-ssd',
  'managed-csi': 'StandardSSD_LRS',
  'managed-csi-premium': 'Premium_LRS',
}

/** A class means the type of disk after which it is named, as gp3 and Premium_LRS are, unless it is a known one. */
export const diskTypeOfClass = (storageClass: string): string =>
  Object.hasOwn(typesOfClasses, storageClass) ? typesOfClasses[storageClass]! : storageClass

/** The share of a disk that may be full. */
const targetFill = 0.8

/** Finds a cheaper disk for a claim in its region. It is never smaller, and keeps the speed that was not measured. */
export function adviseClaim(
  deps: DiskDeps,
  claim: MeasuredClaim,
  { provider, region, type }: { readonly provider: string; readonly region: string; readonly type: string },
): ClaimAdvice {
  const { capacityGib, usedGib, iops, throughputMbps } = claim
  const current = findDisk(deps, [], {
    provider,
    region,
    type,
    capacityGib,
    iops: undefined,
    throughputMbps: undefined,
  })
  if (current instanceof NotFound) return { claim, current, unusedPerHourUsd: 0 }
  const offers = shippedDisks(current.offer.provider).filter((offer) =>
    same(offer.region, current.offer.region),
  )
  const need = diskNeed(current, capacityGib, { iops, throughputMbps })
  const [better] = cheaperDisks(current, need, offers, () => false)
  return { claim, current, better, unusedPerHourUsd: unusedOf(deps, better ?? current, capacityGib, usedGib) }
}

function unusedOf(
  deps: DiskDeps,
  disk: PricedDisk,
  capacityGib: number,
  usedGib: number | undefined,
): number {
  if (usedGib === undefined || usedGib >= capacityGib / 2) return 0
  const { provider, region, type, iops, throughput }: DiskOffer = disk.offer
  const smaller = findDisk(deps, [], {
    provider,
    region,
    type,
    capacityGib: Math.max(1, Math.ceil(usedGib / targetFill)),
    // Only IOPS that were bought, not those that come with the size.
    iops: iops.perGib > 0 ? undefined : disk.iops,
    throughputMbps: throughput.perGib > 0 ? undefined : disk.throughputMbps,
  })
  return smaller instanceof NotFound ? 0 : Math.max(0, disk.pricePerHourUsd - smaller.pricePerHourUsd)
}
