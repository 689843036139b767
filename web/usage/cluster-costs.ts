import { useQuery } from '@tanstack/react-query'
import { answer, service } from '../api/client.ts'
import type { paths } from '../api/schema.ts'
import type { Period } from './period.ts'

type CostRow = paths['/v1/costs']['get']['responses'][200]['content']['application/json'][number]

/** The usage of a group in a step, with the idle cost of its nodes if groups are clusters or nodes. */
export interface ClusterCost
  extends Omit<
    CostRow,
    | 'cost_type'
    | 'cluster'
    | 'namespace'
    | 'workload'
    | 'other_cost_usd'
    | 'unpriced_hours'
    | 'network_at_most_usd'
  > {
  readonly unpriced_hours?: number
  readonly network_at_most_usd?: number
  readonly cluster?: string
  readonly namespace?: string
  readonly workload?: string
  /** Volumes and other charges with a price of their own. */
  readonly other_cost_usd?: number
  readonly idle_cost_usd?: number
  readonly estimated_idle_cost_usd?: number
}

/** Adds the idle cost of clusters or nodes to the rows of their usage. */
export function withIdle(rows: readonly CostRow[]): ClusterCost[] {
  const groups = Map.groupBy(rows, ({ cluster, node, start }) => JSON.stringify([cluster, node, start]))
  return [...groups.values()].map((group) => {
    const [usage, idle] = ['usage', 'idle'].map((type) => group.find((row) => row.cost_type === type))
    const idleCosts = {
      idle_cost_usd: idle?.cost_usd ?? 0,
      estimated_idle_cost_usd: idle?.estimated_cost_usd ?? 0,
    }
    const named = (usage ?? { ...idle!, cost_usd: 0, estimated_cost_usd: 0 }) as ClusterCost
    return { ...placed(named), ...idleCosts }
  })
}

export const usageOf = (rows: readonly CostRow[]): ClusterCost[] =>
  rows.filter(({ cost_type }) => cost_type === 'usage').map((row) => placed(row as ClusterCost))

export const inClusters = (rows: readonly CostRow[]): CostRow[] =>
  rows.filter(({ cluster }) => cluster !== null)

/** Stands for the cluster of machines that are in none. */
export const outsideClusters = 'Machines outside clusters'

/** Machines have no cluster and no namespace; the namespace of volumes without a claim is ''. */
function placed({ namespace, ...row }: ClusterCost): ClusterCost {
  if (row.cluster === null) return { ...row, cluster: outsideClusters }
  return namespace === undefined ? row : { ...row, namespace: namespace ?? '' }
}

/** Loads the cost of every cluster, and of machines outside clusters, on every day of a period. */
export function useClusterCosts(period: Pick<Period, 'start_date' | 'end_date'>, enabled = true) {
  const { start_date, end_date } = period
  return useQuery({
    queryKey: ['cluster-costs', start_date, end_date],
    queryFn: ({ signal }) =>
      answer(
        service.GET('/v1/costs', {
          // Idle is what nothing uses, however its cost is shared.
          params: { query: { group_by: 'cluster', step: 'day', sharing: 'apart', start_date, end_date } },
          signal,
        }),
      ).then(withIdle),
    enabled,
  })
}
