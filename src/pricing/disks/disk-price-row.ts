import type { DiskLimit, DiskOffer } from '../../domain/disk.ts'
import { hoursPerMonth, round, roundHourly, roundSum } from '../../domain/money.ts'
import type { PriceSourceKind } from '../../domain/offer.ts'
import { uuidOf } from '../compute/compute-price.ts'
import type { PricedDisk } from './disk-price.ts'
import type { DiskRow } from './schema.ts'

export function diskPriceRow(
  offer: DiskOffer,
  provider: { displayName: string; service: string },
  raw = {},
): DiskRow {
  const { type, tier, region, iops, throughput, day } = offer
  const time = day === '' ? null : `${day}T00:00:00.000Z`
  return {
    id: uuidOf(['disk', offer.provider, region, offer.zone, type, tier].join('\n')),
    provider: provider.displayName,
    service: provider.service,
    region,
    availability_zone: offer.zone,
    type,
    usage_type: offer.usageType,
    cost_per_gb_hour: rate(offer.gibPerHourUsd),
    cost_per_iops_hour: rate(offer.iopsPerHourUsd),
    cost_per_throughput_mbps_hour: rate(offer.mbpsPerHourUsd),
    min_capacity_gb: offer.minGib,
    max_capacity_gb: maximum(offer.maxGib),
    min_iops: iops.included,
    max_iops: maximum(iops.max),
    min_throughput_mbps: throughput.included,
    max_throughput_mbps: maximum(throughput.max),
    period_billing_hours: 1,
    raw_pricing_data: raw,
    tags: tier === '' ? {} : { tier },
    created_at: time,
    updated_at: time,
  }
}

export function diskMetadata(disk: PricedDisk, changes: readonly string[], source: PriceSourceKind) {
  const { offer, pricePerHourUsd } = disk
  return {
    cost_per_hour: roundHourly(pricePerHourUsd),
    cost_per_month: roundSum(pricePerHourUsd * hoursPerMonth),
    billed_capacity_gb: disk.billedGib,
    iops: round(disk.iops, 3),
    throughput_mbps: round(disk.throughputMbps, 3),
    iops_per_gb: offer.iops.perGib,
    throughput_mbps_per_gb: round(offer.throughput.perGib, 6),
    tier: offer.tier || null,
    traits: offer.traits,
    source: offer.source,
    day: offer.day || null,
    price_source: source,
    is_estimate: offer.isEstimate,
    changes,
  }
}

/** A GiB of a disk costs some 0.0001 dollars an hour, so six decimals are too few. */
const rate = (usd: number): number => round(usd, 12)

export const maximum = (most: number): number | null => (most === Number.POSITIVE_INFINITY ? null : most)

/** The limit of a row: what is included, and what can be bought. */
export const rowLimit = (included: number, max: number | null): DiskLimit => ({
  included,
  perGib: 0,
  fromGib: 0,
  max: max ?? Number.POSITIVE_INFINITY,
  maxPerGib: 0,
})
