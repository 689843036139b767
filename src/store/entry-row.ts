import { cursorOf, namesInCursor } from '../domain/cursor.ts'
import { type MarketplaceEntry, naturalKey, type RegisteredEntry } from '../domain/marketplace.ts'
import type { OperatingSystem, UsageType } from '../domain/offer.ts'
import { BadCursor, type MarketplacePage, type MarketplaceQuery } from './port.ts'
import { isStorable } from './storable.ts'

/** A row of the table marketplace_entries, as both databases return it. */
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

/** A row with the columns that the database itself fills. */
export interface RegisteredRow extends EntryRow {
  readonly id: string
  readonly created_at: number
  readonly updated_at: number
}

export const naturalKeyColumns =
  'provider, service, region, zone, instance_type, operating_system, usage_type'
export const entryColumns = `${naturalKeyColumns}, price_per_hour_usd, vcpus, ram_gib, raw_json`
export const registeredColumns = `${entryColumns}, id, created_at, updated_at`
const naturalKeyLength = 7

export function entryFromRow(row: RegisteredRow): RegisteredEntry {
  return {
    id: row.id,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
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

/** Returns the values in the order of entryColumns. */
export function entryValues(entry: MarketplaceEntry): (string | number)[] {
  return [...naturalKey(entry), entry.pricePerHourUsd, entry.vcpus, entry.ramGib, entry.rawJson]
}

/** Returns the columns that a query limits to one value, with that value. Returns undefined if no row can match. */
export function conditionsOf(query: MarketplaceQuery): (readonly [string, string])[] | undefined {
  const { provider, service, region, instanceType, usageType } = query
  const asked: [string, string | undefined][] = [
    ['provider', provider],
    ['service', service],
    ['region', region],
    ['instance_type', instanceType],
    ['usage_type', usageType],
  ]
  const conditions = asked.flatMap(([column, value]) =>
    value === undefined ? [] : [[column, value] as const],
  )
  return conditions.every(([, value]) => isStorable(value)) ? conditions : undefined
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Returns an id as it is stored, or undefined if it is not a valid id. */
export function idOf(given: string): string | undefined {
  const id = given.toLowerCase()
  return uuid.test(id) ? id : undefined
}

/** Expects one row beyond the limit, to find out whether there are more. */
export function pageOf(rows: readonly RegisteredRow[], limit: number): MarketplacePage {
  const entries = rows.slice(0, limit).map(entryFromRow)
  const last = entries.at(-1)
  return rows.length > limit && last !== undefined
    ? { entries, next: cursorOf(naturalKey(last)) }
    : { entries }
}

/** Returns the natural key after which a page begins. */
export function keyAfter(cursor: string): string[] {
  const key = namesInCursor(cursor, naturalKeyLength)
  if (key === undefined || !key.every(isStorable))
    throw new BadCursor('The cursor must come from a Link header')
  return key
}
