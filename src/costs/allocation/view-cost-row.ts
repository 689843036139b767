import { round, roundHourly } from '../../domain/money.ts'
import { timeOfHour } from '../../domain/time.ts'
import type { CostRowView } from '../report/schema.ts'
import { CostColumns, usageUsd } from './cost-columns.ts'
import type { CostRow, RowKey } from './cost-groups.ts'
import { type CostGrouping, type GroupKey, isOfNodes, labelOf } from './grouping.ts'
import { noteOn } from './nodes.ts'

/** Returns the names of the members in order. All rows of one answer have the same members. */
export function costRowMembers(grouping: CostGrouping): string[] {
  const key = { type: 'usage', values: grouping.keys.map(() => ''), fromHour: 0 } as const
  const price = { corePerHourUsd: 0, gibPerHourUsd: 0, perHourUsd: null }
  const row = { key, toHour: 0, columns: new CostColumns(1), step: 0 }
  return Object.keys(viewCostRow(grouping.keys.includes('node') ? { ...row, price } : row, grouping))
}

export function viewCostRow(
  { key, toHour, columns, step, price, measuredHours = 0 }: CostRow,
  grouping: CostGrouping,
): CostRowView {
  const isIdle = key.type === 'idle'
  /** Idle rows share the columns of a group, and what runs in the group is not theirs. */
  const at = (column: Float64Array): number => (isIdle ? 0 : round(column[step]!, 6))
  const usd = isIdle ? columns.idleUsd[step]! : usageUsd(columns, step) + columns.sharedUsd[step]!
  const estimatedUsd = (isIdle ? columns.estimatedIdleUsd : columns.estimatedUsd)[step]!
  return {
    ...groupOf(key, grouping),
    start: timeOfHour(key.fromHour),
    end: timeOfHour(toHour),
    cost_usd: round(usd, 6),
    cost_type: key.type,
    cpu_cost_usd: at(columns.cpuUsd),
    memory_cost_usd: at(columns.memoryUsd),
    gpu_cost_usd: at(columns.gpuUsd),
    other_cost_usd: at(columns.otherUsd),
    ...(grouping.isShared ? { shared_cost_usd: at(columns.sharedUsd) } : {}),
    estimated_cost_usd: round(estimatedUsd, 6),
    ...(isOfNodes(grouping) ? { measured_hours: round(measuredHours, 2) } : {}),
    requested_core_hours: at(columns.requestedCoreHours),
    used_core_hours: at(columns.usedCoreHours),
    requested_gib_hours: at(columns.requestedGibHours),
    used_gib_hours: at(columns.usedGibHours),
    requested_gpu_hours: at(columns.requestedGpuHours),
    unpriced_hours: at(columns.unpricedHours),
    network_at_most_usd: at(columns.atMostUsd),
    ...(price === undefined
      ? {}
      : {
          node_cost_usd_per_hour: price.perHourUsd === null ? null : roundHourly(price.perHourUsd),
          price_source: price.source ?? null,
          price_rules: price.priceRules?.join('; ') ?? null,
          price_date: price.day ?? null,
          note: price.missing === undefined ? null : noteOn(price.missing, 1),
        }),
  }
}

type GroupMembers = Partial<Pick<CostRowView, Exclude<GroupKey, `label:${string}`> | 'label' | 'value'>>

function groupOf({ values }: RowKey, { keys }: CostGrouping): GroupMembers {
  const members: Record<string, string | null> = {}
  for (const [index, key] of keys.entries()) {
    const value = values[index]!
    if (key.startsWith('label:'))
      Object.assign(members, { label: labelOf(keys)!, value: value === '' ? null : value })
    else members[key] = value === '' ? null : value
  }
  return members
}
