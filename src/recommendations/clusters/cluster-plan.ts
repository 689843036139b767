import type { NodePlacement } from '../../domain/node-placement.ts'
import type { Offer } from '../../domain/offer.ts'
import type { CurrentNodeType } from './cluster-nodes.ts'
import type { ClusterEffort } from './cluster-rules.ts'
import type { NodeWeek } from './node-week.ts'
import type { OfferedPool } from './offered-pools.ts'
import type { ClusterPods, ResourceSum } from './packing/cluster-pods.ts'
import type { PodGroup } from './packing/pods.ts'

/** Maximum number of workloads without a node that are named, largest first. */
export const maxUnplaced = 20

export interface ZonedPool extends OfferedPool {
  readonly placement: NodePlacement
  /** Number of nodes by zone; empty if zones are alike. */
  readonly zones: ReadonlyMap<string, number>
}

export interface ClusterOption {
  /** Names the option among those of its cluster. */
  readonly id: string
  readonly effort: ClusterEffort
  /** 0 if no pods are planned for spot nodes. */
  readonly spotShare: number
  readonly pools: readonly ZonedPool[]
  readonly perMonthUsd: number
  readonly savingsUsd: number
  /** Whether the pods fit only with their recommended sizes. */
  readonly needsSizes: boolean
  /** Shares of all cores and of all memory that the pods request with the recommended sizes. */
  readonly requested: ResourceSum
}

export const isSpot = ({ usageType }: Offer): boolean => usageType === 'SPOT_PREEMPTIBLE'

/** Equal for nodes that can be one pool. */
export const poolKey = ({ provider, region, instanceType, usageType }: Offer): string =>
  JSON.stringify([provider, region, instanceType, usageType])

/** What is known about a cluster, and what its nodes could be. */
export interface ClusterPlan {
  readonly pods: ClusterPods
  /** Nodes at the end of the window, by type. */
  readonly nodes: ReadonlyMap<CurrentNodeType, number>
  /** The nodes over time, if an autoscaler adds and removes them; what is paid then counts by these. */
  readonly week: NodeWeek | undefined
  /** Null if the price of a node is unknown. */
  readonly perMonthUsd: number | null
  readonly lowerBoundUsd: number | null
  /** 0 to 1. */
  readonly confidence: number
  readonly options: readonly ClusterOption[]
  /** The cheapest option at the present place that is paid as now: what recommendations and sums count with. */
  readonly recommended: ClusterOption | undefined
  readonly unplaced: readonly PodGroup[]
  /** Why there are no options; otherwise empty. */
  readonly reasons: readonly string[]
  readonly notes: readonly string[]
}
