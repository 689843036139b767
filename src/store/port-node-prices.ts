import type { DayRange } from '../usage/port.ts'

/** Prices of nodes, machines, volumes and load balancers on days that are over, so that a new price does not change past costs. */
export interface NodePriceStore {
  /**
   * The prices that were in force on days [from, to): for each node the last one from before or at the first day, and all
   * later ones, in order of day. Without a cluster, of all.
   */
  read(organisation: string, query: NodePricesQuery): Promise<StoredNodePrice[]>
  /** Adds prices in one transaction. One that is stored for the same node and day stays. */
  write(organisation: string, prices: readonly StoredNodePrice[]): Promise<void>
  /** Removes all prices of these days, then adds prices as write() does, in one transaction. */
  replace(organisation: string, days: DayRange, prices: readonly StoredNodePrice[]): Promise<void>
  /** Removes all prices of these nodes. */
  remove(organisation: string, nodes: readonly PricedNode[]): Promise<void>
}

export interface NodePricesQuery extends DayRange {
  readonly kind?: PricedNode['kind']
  readonly cluster?: string | undefined
}

export interface PricedNode {
  readonly kind: 'node' | 'machine' | 'volume' | 'load_balancer' | 'network'
  /** '' for machines. */
  readonly cluster: string
  readonly name: string
}

export interface StoredNodePrice extends PricedNode {
  /** Days since 1970. The price is in force from this day until the next one that is stored. */
  readonly day: number
  /** Opaque to the store. */
  readonly json: string
}
