import type { CostRow } from './queries.ts'

/** One cluster, namespace, workload, node or label value, over the whole period. */
export interface CostGroup {
  readonly id: string
  readonly name: string
  /** The cluster, or cluster and namespace, of the group; '' if its name says it already. */
  readonly place: string
  readonly costUsd: number
  readonly estimatedUsd: number
  readonly gpuUsd: number
  readonly idleUsd: number
  readonly requestedCoreHours: number
  readonly usedCoreHours: number
  readonly requestedGibHours: number
  readonly usedGibHours: number
  readonly cluster: string | undefined
  readonly namespace: string | undefined
  /** Cost by the start of each step. */
  readonly byStep: ReadonlyMap<string, number>
}

/** Adds up the rows of all steps by group, most expensive first. */
export function groupsOf(rows: readonly CostRow[]): CostGroup[] {
  const groups = [...Map.groupBy(rows, idOf)].map(([id, of]): CostGroup => {
    const sum = (value: (row: CostRow) => number | undefined) =>
      of.reduce((total, row) => total + (value(row) ?? 0), 0)
    const [first] = of
    return {
      id,
      ...nameOf(first!),
      cluster: first!.cluster,
      namespace: first!.namespace,
      costUsd: sum((row) => row.cost_usd),
      estimatedUsd: sum((row) => row.estimated_cost_usd),
      gpuUsd: sum((row) => row.gpu_cost_usd),
      idleUsd: sum((row) => row.idle_cost_usd),
      requestedCoreHours: sum((row) => row.requested_core_hours),
      usedCoreHours: sum((row) => row.used_core_hours),
      requestedGibHours: sum((row) => row.requested_gib_hours),
      usedGibHours: sum((row) => row.used_gib_hours),
      byStep: new Map(of.map((row) => [row.start, row.cost_usd])),
    }
  })
  return groups.sort((a, b) => b.costUsd - a.costUsd || (a.id < b.id ? -1 : 1))
}

/** Usage and cost of a group that did not run in the period. */
export const zeroUsage = {
  costUsd: 0,
  estimatedUsd: 0,
  gpuUsd: 0,
  idleUsd: 0,
  requestedCoreHours: 0,
  usedCoreHours: 0,
  requestedGibHours: 0,
  usedGibHours: 0,
  byStep: new Map<string, number>(),
}

/** Adds the cost of the previous period to each group, and groups that ran only then, so that changes add up. */
export function comparedGroups(
  groups: readonly CostGroup[],
  before: readonly CostGroup[],
): (CostGroup & { readonly beforeUsd: number })[] {
  const beforeUsd = new Map(before.map(({ id, costUsd }) => [id, costUsd]))
  const ids = new Set(groups.map(({ id }) => id))
  const ended = before.filter(({ id }) => !ids.has(id)).map((group) => ({ ...group, ...zeroUsage }))
  return [...groups, ...ended].map((group) => ({ ...group, beforeUsd: beforeUsd.get(group.id) ?? 0 }))
}

export const idleUsdOf = (rows: readonly CostRow[] = []): number =>
  rows.reduce((sum, row) => sum + (row.idle_cost_usd ?? 0), 0)

export const estimatedIdleUsdOf = (rows: readonly CostRow[] = []): number =>
  rows.reduce((sum, row) => sum + (row.estimated_idle_cost_usd ?? 0), 0)

export const costUsdOf = (rows: readonly CostRow[] = []): number =>
  rows.reduce((sum, row) => sum + row.cost_usd, 0)

/** Adds up the idle cost of all clusters, by the start of each step. */
export function idleByStep(rows: readonly CostRow[] = []): Map<string, number> {
  const steps = new Map<string, number>()
  for (const { start, idle_cost_usd = 0 } of rows) steps.set(start, (steps.get(start) ?? 0) + idle_cost_usd)
  return steps
}

const idOf = ({ cluster, namespace, workload, node, value }: CostRow): string =>
  JSON.stringify([cluster, namespace, workload, node, value])

function nameOf({ cluster = '', namespace, workload, node, label, value }: CostRow) {
  if (label !== undefined) return { name: value ?? `without ${label}`, place: '' }
  if (node !== undefined) return { name: node ?? 'node not known', place: cluster }
  if (workload !== undefined) return { name: workload, place: `${cluster} / ${namespace}` }
  if (namespace !== undefined) return { name: namespace, place: cluster }
  return { name: cluster, place: '' }
}
