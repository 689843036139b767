import type { CostRow } from './queries.ts'
import { plainLabel } from './selection.ts'

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
  readonly workload: string | undefined
  readonly container: string | undefined
  /** The value of the label by which it is grouped; '' if it has none, undefined without such a grouping. */
  readonly value: string | undefined
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
      workload: first!.workload,
      container: first!.container ?? undefined,
      value: first!.label === undefined ? undefined : (first!.value ?? ''),
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

const idOf = (row: CostRow): string =>
  JSON.stringify([...members.map((name) => row[name]), row.label === undefined ? undefined : row.value])

/** What a row is about, from the outermost to the innermost. */
const members = [
  ...(['cluster', 'namespace', 'kind', 'workload', 'pod', 'container'] as const),
  ...(['node_type', 'node', 'storage_class'] as const),
] as const

/** The innermost is the name; a kind is part of the name of a workload. */
function nameOf(row: CostRow): { name: string; place: string } {
  const parts = members
    .filter((name) => row[name] !== undefined && (name !== 'kind' || row.workload === undefined))
    .map((name) => row[name] || unknownNames[name] || '')
  if (row.label !== undefined) parts.push(row.value ?? `without ${plainLabel(row.label)}`)
  return { name: parts.at(-1) ?? '', place: parts.slice(0, -1).join(' / ') }
}

const unknownNames: Readonly<Record<string, string>> = {
  namespace: 'no namespace',
  node: 'no node known',
  node_type: 'no type known',
  storage_class: 'no volume',
  pod: 'no pod',
}
