import type { MachineUsage, UsageFormat } from '../../domain/inventory.ts'
import { at, listAt, mean, textAt } from '../inventory/json-path.ts'

const gibBytes = 2 ** 30

/** https://learn.microsoft.com/cli/azure/monitor/metrics#az-monitor-metrics-list */
export const azureMonitorUsage: UsageFormat = {
  source: 'az monitor metrics list',
  read(document) {
    if (!Array.isArray(at(document, 'value')) || at(document, 'value', 0, 'timeseries') === undefined)
      return undefined
    return listAt(document, 'value').flatMap((metric): MachineUsage[] => {
      const names = [textAt(metric, 'id').replace(/\/providers\/microsoft\.insights\/.*$/i, '')]
      const points = listAt(metric, 'timeseries').flatMap((series) => listAt(series, 'data'))
      const average = mean(points.map((point) => at(point, 'average')))
      const name = textAt(metric, 'name', 'value').toLowerCase()
      if (average === undefined) return []
      if (name === 'percentage cpu') return [{ names, cpuShare: average / 100 }]
      if (name === 'available memory percentage') return [{ names, memoryShare: 1 - average / 100 }]
      return name === 'available memory bytes' ? [{ names, freeMemoryGib: average / gibBytes }] : []
    })
  },
}
