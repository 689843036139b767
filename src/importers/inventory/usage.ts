import type { MachineUsage, UsageFormat } from '../../domain/inventory.ts'
import { at, listAt, mean, textAt } from './json-path.ts'

const gibBytes = 2 ** 30

/**
 * https://docs.aws.amazon.com/cli/latest/reference/cloudwatch/get-metric-data.html; the label names instance and metric.
 * A label without an instance id has the name of the machine. The whole label stands for a metric that is not known, so
 * that it is listed as unmatched.
 */
export const cloudWatchUsage: UsageFormat = (document) => {
  if (!Array.isArray(at(document, 'MetricDataResults'))) return undefined
  // The command joins pages, each of which has a part of the values of a query.
  const pages = Map.groupBy(listAt(document, 'MetricDataResults'), (result) => textAt(result, 'Label'))
  return [...pages].flatMap(([label, results]): MachineUsage[] => {
    const percent = mean(results.flatMap((result) => listAt(result, 'Values')))
    if (percent === undefined) return []
    const metric = cpuMetric.exec(label)?.[0] ?? memoryMetric.exec(label)?.[0]
    if (metric === undefined || memoryInBytes.test(metric)) return [{ names: [label] }]
    const machine = /\bi-[0-9a-f]+\b/.exec(label)?.[0] ?? label.replace(metric, '').trim()
    const names = [machine || label]
    const share = percent / 100
    if (cpuMetric.test(metric)) return [{ names, cpuShare: share }]
    return [{ names, memoryShare: metric.toLowerCase() === 'mem_available_percent' ? 1 - share : share }]
  })
}

const cpuMetric = /\b(?:cpuutilization|cpu_usage\w*)\b/i
/** The last word of this kind, because a machine may be called memcached. */
const memoryMetric = /\bmem\w*\b(?!.*\bmem)/i
/** Metrics of the CloudWatch agent that are not in percent. */
const memoryInBytes = /^mem_(?:active|available|buffered|cached|free|inactive|shared|total|used)$/i

/** https://learn.microsoft.com/cli/azure/monitor/metrics#az-monitor-metrics-list */
export const azureMonitorUsage: UsageFormat = (document) => {
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
}

/** Labels that identify a machine. Others, like a job or a zone, are shared by many machines. */
const machineLabels = ['instance', 'instance_id', 'node', 'nodename', 'hostname', 'host', 'name', 'vm', 'id']

/**
 * https://prometheus.io/docs/prometheus/latest/querying/api/#instant-queries; the label `resource` is cpu, in
 * cores, or memory, in bytes.
 */
export const prometheusUsage: UsageFormat = (document) => {
  if (at(document, 'data', 'resultType') !== 'vector') return undefined
  return listAt(document, 'data', 'result').flatMap((series): MachineUsage[] => {
    const { resource, ...labels } = (at(series, 'metric') ?? {}) as Record<string, unknown>
    const names = machineLabels.map((name) => labels[name]).filter((value) => typeof value === 'string')
    const value = Number(textAt(series, 'value', 1) || Number.NaN)
    if (!(value >= 0) || !Number.isFinite(value)) return []
    if (resource === 'cpu') return [{ names, cpuCores: value }]
    return resource === 'memory' ? [{ names, memoryGib: value / gibBytes }] : []
  })
}
