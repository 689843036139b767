import { defaultReserve } from '../../../domain/node-reserve.ts'
import type { PodGroup, PodResources } from './pods.ts'

/** A type of node that a pool can consist of. */
export interface NodeType {
  readonly name: string
  readonly cores: number
  readonly gib: number
  readonly gpus?: number
  /** Maximum number of pods on one node, including those of daemon sets. */
  readonly podLimit: number
  /** What a node keeps for the system; by default the usual shares. */
  readonly reserve?: { readonly cores: number; readonly gib: number }
  /** Above 0. */
  readonly perMonthUsd: number
  /** Speed of a core relative to those of the current nodes; 1 if absent. */
  readonly speed?: number
}

/** Rules for every pool, whatever its type. */
export interface PoolRules {
  /** The sum of what runs once on every node: the pods of daemon sets. */
  readonly everywhere: PodResources
  /** Share of the capacity of all pools together that stays free, from 0 to below 1. */
  readonly headroom: number
  readonly minNodes: number
  /** Most pools of a plan. */
  readonly maxPools: number
}

/** From Monday 00:00 UTC on. */
export const weekHours = 168

/** A number of nodes of one type. */
export interface NodePool {
  readonly type: NodeType
  /** The most, if an autoscaler adds and removes nodes. */
  readonly count: number
  /** Nodes that an autoscaler keeps: the fewest, their mean over the measured hours, and by hour of the week. */
  readonly fewest?: number
  readonly mean?: number
  readonly byHour?: Float64Array
  /** The only zone of these nodes; absent if they can be in any. */
  readonly zone?: string
}

/** Returns the capacity that a node has for pods that do not run on every node. */
export function allocatableOn(type: NodeType, { everywhere }: PoolRules): PodResources {
  const { cores, gib, gpus = 0, podLimit, reserve = defaultReserve(type) } = type
  return {
    cores: Math.max(0, cores - reserve.cores - everywhere.cores),
    gib: Math.max(0, gib - reserve.gib - everywhere.gib),
    gpus,
    pods: Math.max(0, podLimit - everywhere.pods),
  }
}

/** As many as each workload needs, of which a node has so many pods at most. */
export const fewestNodes = (groups: readonly PodGroup[], { minNodes }: PoolRules): number =>
  groups.reduce((most, { count, perNode = count }) => Math.max(most, Math.ceil(count / perNode)), minNodes)

export const poolsPerMonthUsd = (pools: readonly NodePool[]): number =>
  pools.reduce((sum, { type, count, mean = count }) => sum + mean * type.perMonthUsd, 0)

/** Leaves out types that cost as much as another that holds at least as much. */
export function withoutDominated(types: readonly NodeType[], rules: PoolRules): NodeType[] {
  const kept: { type: NodeType; capacity: ReturnType<typeof allocatableOn> }[] = []
  const sorted = types
    .map((type) => ({ type, capacity: allocatableOn(type, rules) }))
    .filter(({ capacity }) => capacity.pods > 0 && capacity.cores > 0 && capacity.gib > 0)
    .sort(
      (a, b) =>
        a.type.perMonthUsd - b.type.perMonthUsd ||
        b.capacity.cores - a.capacity.cores ||
        b.capacity.gib - a.capacity.gib ||
        (a.type.name < b.type.name ? -1 : 1),
    )
  for (const each of sorted) {
    const { capacity } = each
    if (!kept.some(({ capacity: other }) => holdsAllOf(other, capacity))) kept.push(each)
  }
  return kept.map(({ type }) => type)
}

export const holdsAllOf = (some: PodResources, others: PodResources): boolean =>
  some.cores >= others.cores &&
  some.gib >= others.gib &&
  some.pods >= others.pods &&
  (some.gpus ?? 0) >= (others.gpus ?? 0)
