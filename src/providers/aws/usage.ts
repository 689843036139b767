import type { MachineUsage, UsageFormat } from '../../domain/inventory.ts'
import { at, listAt, mean, textAt } from '../inventory/json-path.ts'

/**
 * https://docs.aws.amazon.com/cli/latest/reference/cloudwatch/get-metric-data.html; the label names instance and metric.
 * A label without an instance id has the name of the machine. The whole label stands for a metric that is not known, so
 * that it is listed as unmatched.
 */
export const cloudWatchUsage: UsageFormat = {
  source: 'aws cloudwatch get-metric-data',
  read(document) {
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
  },
}

const cpuMetric = /\b(?:cpuutilization|cpu_usage\w*)\b/i
/** The last word of this kind, because a machine may be called memcached. */
const memoryMetric = /\bmem\w*\b(?!.*\bmem)/i
/** Metrics of the CloudWatch agent that are not in percent. */
const memoryInBytes = /^mem_(?:active|available|buffered|cached|free|inactive|shared|total|used)$/i
