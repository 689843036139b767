import { round, roundHourly } from '../domain/money.ts'
import { timeOfHour } from '../domain/time.ts'
import { CostColumns } from './cost-columns.ts'
import type { CostRow, GroupBy, RowKey } from './cost-groups.ts'
import { noteOn } from './nodes.ts'

/** What the rows of an answer are about. */
export interface CostGrouping {
  readonly groupBy: GroupBy
  /** Undefined if rows are about all namespaces. */
  readonly namespace: string | undefined
}

/** Returns the names of the members in order. All rows of one answer have the same members. */
export function costRowMembers(query: CostGrouping): string[] {
  const key = { cluster: '', namespace: '', name: '', fromHour: 0 }
  const price = { corePerHourUsd: 0, gibPerHourUsd: 0, perHourUsd: null }
  const row = { key, toHour: 0, columns: new CostColumns(1), step: 0 }
  return Object.keys(viewCostRow(query.groupBy.kind === 'node' ? { ...row, price } : row, query))
}

export type CostRowView = ReturnType<typeof viewCostRow>

/** Shows a row to callers in cores, GiB and dollars. */
export function viewCostRow(
  { key, toHour, columns, step, price, measuredHours = 0 }: CostRow,
  { groupBy, namespace }: CostGrouping,
) {
  const at = (column: Float64Array): number => round(column[step]!, 6)
  const usd = columns.cpuUsd[step]! + columns.memoryUsd[step]! + columns.gpuUsd[step]!
  return {
    ...groupOf(key, groupBy),
    start: timeOfHour(key.fromHour),
    end: timeOfHour(toHour),
    cost_usd: round(usd, 6),
    cpu_cost_usd: at(columns.cpuUsd),
    memory_cost_usd: at(columns.memoryUsd),
    gpu_cost_usd: at(columns.gpuUsd),
    estimated_cost_usd: at(columns.estimatedUsd),
    ...(showsIdle(groupBy, namespace)
      ? {
          idle_cost_usd: at(columns.idleUsd),
          estimated_idle_cost_usd: at(columns.estimatedIdleUsd),
          measured_hours: round(measuredHours, 2),
        }
      : {}),
    requested_core_hours: at(columns.requestedCoreHours),
    used_core_hours: at(columns.usedCoreHours),
    requested_gib_hours: at(columns.requestedGibHours),
    used_gib_hours: at(columns.usedGibHours),
    requested_gpu_hours: at(columns.requestedGpuHours),
    ...(price === undefined
      ? {}
      : {
          node_cost_usd_per_hour: price.perHourUsd === null ? null : roundHourly(price.perHourUsd),
          price_source: price.source ?? null,
          price_date: price.day ?? null,
          note: price.missing === undefined ? null : noteOn(price.missing, 1),
        }),
  }
}

/** Idle cost belongs to nodes, so a namespace has none of its own. */
export const showsIdle = ({ kind }: GroupBy, namespace: string | undefined): boolean =>
  (kind === 'cluster' || kind === 'node') && namespace === undefined

function groupOf({ cluster, namespace, name }: RowKey, groupBy: GroupBy): GroupView {
  const named = name === '' ? null : name
  if (groupBy.kind === 'cluster') return { cluster }
  if (groupBy.kind === 'namespace') return { cluster, namespace }
  if (groupBy.kind === 'workload') return { cluster, namespace, workload: name }
  if (groupBy.kind === 'label') return { label: groupBy.label, value: named }
  return { cluster, node: named }
}

interface GroupView {
  readonly cluster?: string
  readonly namespace?: string
  readonly workload?: string
  readonly node?: string | null
  readonly label?: string
  readonly value?: string | null
}
