import type { UsageType } from './offer.ts'

/** A disk as somebody describes it, in the words of its provider. */
export interface DescribedDisk {
  readonly provider: string
  readonly region: string
  /** A type (gp3, Premium_LRS), or one of its tiers (P10). */
  readonly type: string
  readonly capacityGib: number
  /** What was bought; undefined for what the type includes. */
  readonly iops?: number | undefined
  readonly throughputMbps?: number | undefined
}

/** What a disk must do. */
export interface DiskNeed {
  readonly capacityGib: number
  readonly iops: number
  readonly throughputMbps: number
}

/**
 * IOPS or MB/s of a disk. `included + perGib x (capacity above fromGib)` is part of the price of its capacity. More than that
 * is bought up to `max`, unless it grows with the capacity: then only a larger disk has more.
 */
export interface DiskLimit {
  readonly included: number
  readonly perGib: number
  readonly fromGib: number
  readonly max: number
  /** The maximum for each GiB; 0 for none. */
  readonly maxPerGib: number
}

/**
 * hdd: slow to answer; replicated: every write is stored in two zones; durable: fails far more rarely than others; data-only:
 * cannot hold an operating system; other-charges: operations or the machine are charged too, which is not part of the price.
 */
export type DiskTrait = 'hdd' | 'replicated' | 'durable' | 'data-only' | 'other-charges'

/** The price of a type of disk in a region, or of one of its tiers. */
export interface DiskOffer {
  readonly provider: string
  readonly service: string
  readonly region: string
  /** '' for every zone of the region. */
  readonly zone: string
  readonly type: string
  /** A size that is sold as a whole, such as P10; '' if every GiB is counted. */
  readonly tier: string
  readonly usageType: UsageType
  readonly traits: readonly DiskTrait[]
  readonly gibPerHourUsd: number
  readonly iopsPerHourUsd: number
  readonly mbpsPerHourUsd: number
  /** A smaller disk costs as much as one of this size. */
  readonly minGib: number
  readonly maxGib: number
  readonly iops: DiskLimit
  readonly throughput: DiskLimit
  /** The largest throughput for each IOPS; 0 for any. */
  readonly mbpsPerIops: number
  readonly source: string
  /** YYYY-MM-DD; '' for a registered price. */
  readonly day: string
  /** Whether a part of the price is derived from that of another region. */
  readonly isEstimate: boolean
}

/** The file of disk types and their prices; `build/disks.ts` writes it. */
export interface DisksFile {
  readonly format: 1
  readonly licence: string
  readonly credits: readonly string[]
  readonly types: readonly DiskTypeRow[]
}

export interface DiskTypeRow
  extends Omit<
    DiskOffer,
    'service' | 'region' | 'zone' | 'usageType' | 'gibPerHourUsd' | 'iopsPerHourUsd' | 'mbpsPerHourUsd'
  > {
  /** Region, then US dollars a month: for a GiB or for the whole tier, for an IOPS, for a MB/s. */
  readonly prices: readonly (readonly [
    region: string,
    capacityUsd: number,
    iopsUsd?: number,
    mbpsUsd?: number,
  ])[]
}
