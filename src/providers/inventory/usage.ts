import type { MachineUsage, UsageFormat } from '../../domain/inventory.ts'
import { at, listAt, textAt } from './json-path.ts'

const gibBytes = 2 ** 30

/** Labels that identify a machine. Others, like a job or a zone, are shared by many machines. */
const machineLabels = ['instance', 'instance_id', 'node', 'nodename', 'hostname', 'host', 'name', 'vm', 'id']

/**
 * https://prometheus.io/docs/prometheus/latest/querying/api/#instant-queries; the label `resource` is cpu, in
 * cores, or memory, in bytes.
 */
export const prometheusUsage: UsageFormat = {
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
