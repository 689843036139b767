import type { UsageType } from '../domain/offer.ts'
import type { PriceChanges, PublishedCatalogue } from './port-prices.ts'
import { checkText, checkTime } from './storable.ts'

/** A row of the table price_changes, as both databases give it. */
export interface ChangeRow {
  readonly provider: string
  readonly instance_type: string
  readonly usage_type: string
  readonly at: number
  readonly packed: Uint8Array
}

export const changeColumns = 'provider, instance_type, usage_type, at, packed'

export function changesFromRow(row: ChangeRow): PriceChanges {
  return {
    provider: row.provider,
    instanceType: row.instance_type,
    usageType: row.usage_type as UsageType,
    at: row.at,
    packed: plainBytes(row.packed),
  }
}

/** Plain bytes, whatever the database's own kind of them is. */
export const plainBytes = (bytes: Uint8Array): Uint8Array => new Uint8Array(bytes)

export function checkPublication(catalogue: PublishedCatalogue, changes: readonly PriceChanges[]): void {
  checkText(catalogue.id)
  checkTime(catalogue.publishedAt)
  for (const change of changes) {
    checkText(change.provider)
    checkText(change.instanceType)
    checkTime(change.at)
  }
}
