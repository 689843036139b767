import type { PodRoom } from './pods.ts'
import { systemReserve } from './system-reserve.ts'

/** A type of node that a pool can have. */
export interface NodeType {
  readonly name: string
  readonly cores: number
  readonly gib: number
  /** Most pods on one node, those of daemon sets included. */
  readonly podLimit: number
  /** Above 0. */
  readonly perMonthUsd: number
}

/** What a pool must keep to, whatever its type. */
export interface PoolRules {
  /** What runs once on every node: the pods of daemon sets together. */
  readonly everywhere: PodRoom
  /** Share of the pool's room that stays free, from 0 to below 1. */
  readonly headroom: number
  readonly leastNodes: number
}

/** Some nodes of one type. */
export interface NodePool {
  readonly type: NodeType
  readonly count: number
}

/** What a node has left for pods that do not run on every node. */
export function roomOn({ cores, gib, podLimit }: NodeType, { everywhere }: PoolRules): PodRoom {
  const reserve = systemReserve(cores, gib)
  return {
    cores: Math.max(0, cores - reserve.cores - everywhere.cores),
    gib: Math.max(0, gib - reserve.gib - everywhere.gib),
    pods: Math.max(0, podLimit - everywhere.pods),
  }
}

export const poolsPerMonthUsd = (pools: readonly NodePool[]): number =>
  pools.reduce((sum, { type, count }) => sum + count * type.perMonthUsd, 0)
