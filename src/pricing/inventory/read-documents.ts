import type { InventoryItem, InventoryMachine, MachineUsage } from '../../domain/inventory.ts'
import {
  inventoryFormats,
  readInventory,
  readUsage,
  usageSources,
} from '../../providers/inventory/formats.ts'

const inventoryCommands = inventoryFormats.map(({ command }) => command)

/** Throws UnknownDocument if the document is not the output of a known command. */
export function inventoryIn(document: unknown): InventoryItem[] {
  const items = readInventory(document)
  if (items === undefined) throw new UnknownDocument(`is not the JSON of ${inventoryCommands.join(', ')}`)
  return items
}

export function usageIn(document: unknown): MachineUsage[] {
  const usage = readUsage(document)
  if (usage === undefined)
    throw new UnknownDocument(
      `is not the JSON of ${usageSources.slice(0, -1).join(', ')} or ${usageSources.at(-1)}`,
    )
  return usage
}

/** The message is written to follow the name of the file. */
export class UnknownDocument extends Error {
  override readonly name = 'UnknownDocument'
}

/**
 * Returns all measurements by each name of their machine, in lower case. The later of two measurements of the same kind
 * wins.
 */
export function usageByName(usage: readonly MachineUsage[]): ReadonlyMap<string, MachineUsage> {
  const byName = new Map<string, MachineUsage>()
  for (const measured of usage)
    for (const name of measured.names) {
      const key = name.toLowerCase()
      byName.set(key, { ...byName.get(key), ...measured })
    }
  return byName
}

export function unmatchedUsage(usage: readonly MachineUsage[], items: readonly InventoryItem[]): string[] {
  const known = new Set(items.flatMap(({ id, name }) => [id.toLowerCase(), name.toLowerCase()]))
  const unmatched = usage.filter(({ names }) => !names.some((name) => known.has(name.toLowerCase())))
  return [...new Set(unmatched.map(({ names }) => names[0] ?? ''))]
}

/** Returns the cores and GiB in use if they were measured, at most what the machine has. */
export function usageInInventory(
  measured: ReadonlyMap<string, MachineUsage>,
  { id, name }: Pick<InventoryMachine, 'id' | 'name'>,
  { vcpus, ramGib }: { readonly vcpus: number | null; readonly ramGib: number | null },
): { cpu_cores?: number; ram_gb?: number } {
  const found = (id && measured.get(id.toLowerCase())) || (name && measured.get(name.toLowerCase()))
  if (!found) return {}
  const cores = found.cpuCores ?? shareOf(vcpus, found.cpuShare)
  const free = found.freeMemoryGib
  const gib =
    found.memoryGib ??
    shareOf(ramGib, found.memoryShare) ??
    (free === undefined || ramGib === null ? undefined : ramGib - free)
  return {
    ...(cores === undefined ? {} : { cpu_cores: within(cores, vcpus) }),
    ...(gib === undefined ? {} : { ram_gb: within(gib, ramGib) }),
  }
}

const shareOf = (size: number | null, share: number | undefined): number | undefined =>
  size === null || share === undefined ? undefined : size * share

const within = (amount: number, most: number | null): number => Math.max(0, Math.min(amount, most ?? amount))
