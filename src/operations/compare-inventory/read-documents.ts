import type { InventoryItem, MachineUsage } from '../../domain/inventory.ts'
import { inventoryFormats, readInventory, readUsage } from '../../importers/inventory/formats.ts'

/** Commands whose output is understood. */
const inventoryCommands = inventoryFormats.map(({ command }) => command)

/** Throws UnknownDocument where nothing that is known wrote it. */
export function inventoryIn(document: unknown): InventoryItem[] {
  const items = readInventory(document)
  if (items === undefined) throw new UnknownDocument(`is not the JSON of ${inventoryCommands.join(', ')}`)
  return items
}

export function usageIn(document: unknown): MachineUsage[] {
  const usage = readUsage(document)
  if (usage === undefined)
    throw new UnknownDocument(
      'is not the JSON of aws cloudwatch get-metric-data, az monitor metrics list or a Prometheus instant query',
    )
  return usage
}

/** The message follows the name of the file. */
export class UnknownDocument extends Error {
  override readonly name = 'UnknownDocument'
}
