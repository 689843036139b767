import type { InventoryFormat, InventoryItem, MachineUsage, UsageFormat } from '../../domain/inventory.ts'
import { loadOfClouds } from '../providers.ts'
import { at, listAt, textAt } from './json-path.ts'

const gibBytes = 2 ** 30

/** Labels that identify a machine. Others, like a job or a zone, are shared by many machines. */
const machineLabels = ['instance', 'instance_id', 'node', 'nodename', 'hostname', 'host', 'name', 'vm', 'id']

/**
 * https://prometheus.io/docs/prometheus/latest/querying/api/#instant-queries; the label `resource` is cpu, in
 * cores, or memory, in bytes.
 */
const prometheusUsage: UsageFormat = {
  source: 'a Prometheus instant query',
  read(document) {
    if (at(document, 'data', 'resultType') !== 'vector') return undefined
    return listAt(document, 'data', 'result').flatMap((series): MachineUsage[] => {
      const { resource, ...labels } = (at(series, 'metric') ?? {}) as Record<string, unknown>
      const names = machineLabels.map((name) => labels[name]).filter((value) => typeof value === 'string')
      const value = Number(textAt(series, 'value', 1) || Number.NaN)
      if (!(value >= 0) || !Number.isFinite(value)) return []
      if (resource === 'cpu') return [{ names, cpuCores: value }]
      return resource === 'memory' ? [{ names, memoryGib: value / gibBytes }] : []
    })
  },
}

export const inventoryFormats: readonly InventoryFormat[] = await loadOfClouds((cloud) => cloud.inventory?.())

const usageFormats: readonly UsageFormat[] = [
  ...(await loadOfClouds((cloud) => cloud.usage?.())),
  prometheusUsage,
]

/** Commands and systems whose measurements are understood. */
export const usageSources: readonly string[] = usageFormats.map(({ source }) => source)

/** Undefined if no known command printed the document. An empty list has no machines, whichever command printed it. */
export function readInventory(document: unknown): InventoryItem[] | undefined {
  if (Array.isArray(document) && document.length === 0) return []
  return firstRead(inventoryFormats, document)
}

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
