import type { PriceSummary } from '../../costs/allocation/nodes.ts'
import type { HardQuota } from '../../costs/allocation/totals.ts'
import type { PricedContainer } from './namespace-draft.ts'

/** A namespace with all its containers as objects. */
export interface SizedNamespace {
  readonly cluster: string
  readonly namespace: string
  readonly containers: readonly PricedContainer[]
  readonly hardQuota: HardQuota
  /** Nodes on which the pods of the namespace ran. */
  readonly nodes: ReadonlySet<string>
  /** Hours of the window with measurements. */
  readonly measuredHours: number
  readonly prices: PriceSummary
  /** New spend if no node is overfull, as if all namespaces changed at once. */
  readonly newSpendIfAllChangeUsd: number
}

/** Keeps the containers of a namespace as they are. */
export class ContainerList {
  readonly containers: PricedContainer[] = []
  add(container: PricedContainer): void {
    this.containers.push(container)
  }
}
