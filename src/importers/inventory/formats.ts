import type { InventoryFormat, InventoryItem, MachineUsage, UsageFormat } from '../../domain/inventory.ts'
import { awsInventory } from './aws.ts'
import { azureInventory } from './azure.ts'
import { gcpInventory } from './gcp.ts'
import { hetznerInventory } from './hetzner.ts'
import { azureMonitorUsage, cloudWatchUsage, prometheusUsage } from './usage.ts'

/** Commands whose JSON is understood, each in a file of its own. */
export const inventoryFormats: readonly InventoryFormat[] = [
  awsInventory,
  azureInventory,
  gcpInventory,
  hetznerInventory,
]

const usageFormats: readonly UsageFormat[] = [cloudWatchUsage, azureMonitorUsage, prometheusUsage]

/** Undefined where no command that is known printed it; an empty list has no machines, whoever printed it. */
export function readInventory(document: unknown): InventoryItem[] | undefined {
  if (Array.isArray(document) && document.length === 0) return []
  return firstOf(inventoryFormats, (format) => format.read(document))
}

/** Undefined where no monitoring system that is known answered it. */
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
