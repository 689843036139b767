import type { OperatingSystem, UsageType } from './offer.ts'

/** A price that a caller registered. Its natural key is everything but price, size and raw data. */
export interface MarketplaceEntry {
  readonly provider: string
  readonly service: string
  readonly region: string
  readonly zone: string
  readonly instanceType: string
  readonly operatingSystem: OperatingSystem
  readonly usageType: UsageType
  readonly pricePerHourUsd: number
  readonly vcpus: number
  readonly ramGib: number
  /** What the caller sent as raw_pricing_data, as JSON text. */
  readonly rawJson: string
}

/** An entry as it is kept. Its id stays when the same natural key is registered again, and when the entry is changed. */
export interface RegisteredEntry extends MarketplaceEntry {
  /** A UUID. */
  readonly id: string
  /** Milliseconds since 1970. */
  readonly createdAt: number
  readonly updatedAt: number
}

/** Names cannot hold a line break, so the text is as good as the list. */
export const naturalKeyOf = (
  entry: Omit<MarketplaceEntry, 'rawJson' | 'pricePerHourUsd' | 'vcpus' | 'ramGib'>,
): string =>
  [
    entry.provider,
    entry.service,
    entry.region,
    entry.zone,
    entry.instanceType,
    entry.operatingSystem,
    entry.usageType,
  ].join('\n')
