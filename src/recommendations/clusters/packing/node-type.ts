import type { PodResources } from './pods.ts'

/** A type of node that a pool can consist of. */
export interface NodeType {
  readonly name: string
  readonly cores: number
  readonly gib: number
  /** Maximum number of pods on one node, including those of daemon sets. */
  readonly podLimit: number
  /** Above 0. */
  readonly perMonthUsd: number
  /** Speed of a core relative to those of the current nodes; 1 if absent. */
  readonly speed?: number
}

/** Rules for every pool, whatever its type. */
export interface PoolRules {
  /** The sum of what runs once on every node: the pods of daemon sets. */
  readonly everywhere: PodResources
  /** Share of the pool's capacity that stays free, from 0 to below 1. */
  readonly headroom: number
  readonly minNodes: number
}

/** A number of nodes of one type. */
export interface NodePool {
  readonly type: NodeType
  readonly count: number
}

/** Returns the capacity that a node has for pods that do not run on every node. */
export function allocatableOn({ cores, gib, podLimit }: NodeType, { everywhere }: PoolRules): PodResources {
  const reserve = systemReserve(cores, gib)
  return {
    cores: Math.max(0, cores - reserve.cores - everywhere.cores),
    gib: Math.max(0, gib - reserve.gib - everywhere.gib),
    pods: Math.max(0, podLimit - everywhere.pods),
  }
}

export const poolsPerMonthUsd = (pools: readonly NodePool[]): number =>
  pools.reduce((sum, { type, count }) => sum + count * type.perMonthUsd, 0)

/** Each step reserves this share of the amount up to `upTo`. */
type Steps = readonly (readonly [upTo: number, share: number])[]

/**
 * The published formula of Google Kubernetes Engine, which reserves more than most on small nodes:
 * https://cloud.google.com/kubernetes-engine/docs/concepts/plan-node-sizes#memory_and_cpu_reservations
 * Other managed offerings reserve the same shares of CPU.
 */
const coreSteps: Steps = [
  [1, 0.06],
  [2, 0.01],
  [4, 0.005],
  [Number.POSITIVE_INFINITY, 0.0025],
]
const gibSteps: Steps = [
  [4, 0.25],
  [8, 0.2],
  [16, 0.1],
  [128, 0.06],
  [Number.POSITIVE_INFINITY, 0.02],
]
/** The kubelet evicts pods if less than this is free. */
const evictionGib = 100 / 1024
const minReservedGib = 255 / 1024

/** Returns what the operating system and the kubelet reserve of a node. 4 cores and 16 GiB: 0.08 cores and 2.7 GiB. */
export function systemReserve(cores: number, gib: number): { readonly cores: number; readonly gib: number } {
  return {
    cores: inSteps(cores, coreSteps),
    gib: Math.max(gib < 1 ? minReservedGib : 0, inSteps(gib, gibSteps)) + evictionGib,
  }
}

function inSteps(amount: number, steps: Steps): number {
  let [sum, from] = [0, 0]
  for (const [upTo, share] of steps) {
    sum += share * Math.max(0, Math.min(amount, upTo) - from)
    from = upTo
  }
  return sum
}
