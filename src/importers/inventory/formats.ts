import type { InventoryFormat, InventoryItem, MachineUsage, UsageFormat } from '../../domain/inventory.ts'
import { awsInventory } from './aws.ts'
import { azureInventory } from './azure.ts'
import { gcpInventory } from './gcp.ts'
import { hetznerInventory } from './hetzner.ts'
import { azureMonitorUsage, cloudWatchUsage, prometheusUsage } from './usage.ts'

/** Commands whose JSON is understood, each in its own file. */
export const inventoryFormats: readonly InventoryFormat[] = [
  awsInventory,
  azureInventory,
  gcpInventory,
  hetznerInventory,
]

const usageFormats: readonly UsageFormat[] = [cloudWatchUsage, azureMonitorUsage, prometheusUsage]

/**
 * Returns undefined if no known command printed the document. An empty list has no machines,
 * whichever command printed it.
 */
export function readInventory(document: unknown): InventoryItem[] | undefined {
  if (Array.isArray(document) && document.length === 0) return []
  return firstOf(inventoryFormats, (format) => format.read(document))
}

/** Returns undefined if the document is not from a known monitoring system. */
export const readUsage = (document: unknown): MachineUsage[] | undefined =>
  firstOf(usageFormats, (read) => read(document))

function firstOf<Format, Found>(
  formats: readonly Format[],
  read: (format: Format) => Found | undefined,
): Found | undefined {
  for (const format of formats) {
    const found = read(format)
    if (found !== undefined) return found
  }
  return undefined
}
