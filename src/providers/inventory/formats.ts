import type { InventoryFormat, InventoryItem, MachineUsage, UsageFormat } from '../../domain/inventory.ts'
import { loadOfClouds } from '../providers.ts'
import { prometheusUsage } from './usage.ts'

/** Commands whose JSON is understood. */
export const inventoryFormats: readonly InventoryFormat[] = await loadOfClouds((cloud) => cloud.inventory?.())

const usageFormats: readonly UsageFormat[] = [
  ...(await loadOfClouds((cloud) => cloud.usage?.())),
  prometheusUsage,
]

/** Commands and systems whose measurements are understood. */
export const usageSources: readonly string[] = usageFormats.map(({ source }) => source)

/**
 * Returns undefined if no known command printed the document. An empty list has no machines,
 * whichever command printed it.
 */
export function readInventory(document: unknown): InventoryItem[] | undefined {
  if (Array.isArray(document) && document.length === 0) return []
  return firstRead(inventoryFormats, document)
}

/** Returns undefined if the document is not from a known monitoring system. */
export const readUsage = (document: unknown): MachineUsage[] | undefined => firstRead(usageFormats, document)

function firstRead<Item>(
  formats: readonly { read(document: unknown): Item[] | undefined }[],
  document: unknown,
): Item[] | undefined {
  for (const format of formats) {
    const items = format.read(document)
    if (items !== undefined) return items
  }
  return undefined
}
