import type { InstanceSpec } from './offer.ts'

/** A price that a caller registered. Its natural key is everything but price, size and raw data. */
export interface MarketplaceEntry extends InstanceSpec {
  readonly pricePerHourUsd: number
  readonly vcpus: number
  readonly ramGib: number
  /** What the caller sent as raw_pricing_data, as JSON text. */
  readonly rawJson: string
}

/** An entry as it is stored. Its id stays when the same natural key is registered again, and when the entry is changed. */
export interface RegisteredEntry extends MarketplaceEntry {
  /** A UUID. */
  readonly id: string
  /** Milliseconds since 1970. */
  readonly createdAt: number
  readonly updatedAt: number
}

export const naturalKey = (entry: InstanceSpec): string[] => [
  entry.provider,
  entry.service,
  entry.region,
  entry.zone,
  entry.instanceType,
  entry.operatingSystem,
  entry.usageType,
]

/** The natural key as one text. Names cannot contain a line break. */
export const naturalKeyOf = (entry: InstanceSpec): string => naturalKey(entry).join('\n')
