import { type MarketplaceEntry, naturalKey } from '../domain/marketplace.ts'
import type { OperatingSystem, UsageType } from '../domain/offer.ts'
import { BadCursor, type MarketplacePage } from './port.ts'
import { isStorable } from './storable.ts'

/** A row of the table marketplace_entries, as both databases give it. */
export interface EntryRow {
  readonly provider: string
  readonly service: string
  readonly region: string
  readonly zone: string
  readonly instance_type: string
  readonly operating_system: string
  readonly usage_type: string
  readonly price_per_hour_usd: number
  readonly vcpus: number
  readonly ram_gib: number
  readonly raw_json: string
}

export const naturalKeyColumns =
  'provider, service, region, zone, instance_type, operating_system, usage_type'
export const entryColumns = `${naturalKeyColumns}, price_per_hour_usd, vcpus, ram_gib, raw_json`
const naturalKeyLength = 7

function entryFromRow(row: EntryRow): MarketplaceEntry {
  return {
    provider: row.provider,
    service: row.service,
    region: row.region,
    zone: row.zone,
    instanceType: row.instance_type,
    operatingSystem: row.operating_system as OperatingSystem,
    usageType: row.usage_type as UsageType,
    pricePerHourUsd: row.price_per_hour_usd,
    vcpus: row.vcpus,
    ramGib: row.ram_gib,
    rawJson: row.raw_json,
  }
}

export function entryToRow(entry: MarketplaceEntry): EntryRow {
  return {
    provider: entry.provider,
    service: entry.service,
    region: entry.region,
    zone: entry.zone,
    instance_type: entry.instanceType,
    operating_system: entry.operatingSystem,
    usage_type: entry.usageType,
    price_per_hour_usd: entry.pricePerHourUsd,
    vcpus: entry.vcpus,
    ram_gib: entry.ramGib,
    raw_json: entry.rawJson,
  }
}

/** In the order of entryColumns. */
export function entryValues(entry: MarketplaceEntry): (string | number)[] {
  return [...naturalKey(entry), entry.pricePerHourUsd, entry.vcpus, entry.ramGib, entry.rawJson]
}

/** One row beyond the limit is read to find out whether there are more. */
export function pageOf(rows: readonly EntryRow[], limit: number): MarketplacePage {
  const entries = rows.slice(0, limit).map(entryFromRow)
  const last = entries.at(-1)
  return rows.length > limit && last !== undefined ? { entries, next: cursorOf(last) } : { entries }
}

/** The natural key after which a page begins. */
export function keyAfter(cursor: string): string[] {
  const key = parsed(Buffer.from(cursor, 'base64url').toString())
  const isKey =
    Array.isArray(key) &&
    key.length === naturalKeyLength &&
    key.every((name) => typeof name === 'string' && isStorable(name))
  if (!isKey) throw new BadCursor('The cursor is not one that a page gave')
  return key
}

const cursorOf = (entry: MarketplaceEntry): string =>
  Buffer.from(JSON.stringify(naturalKey(entry))).toString('base64url')

function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}
