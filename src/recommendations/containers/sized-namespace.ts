import type { PriceSummary } from '../../costs/allocation/nodes.ts'
import type { HardQuota } from '../../costs/allocation/totals.ts'
import type { PricedContainer } from './namespace-draft.ts'

export interface SizedNamespace {
  readonly cluster: string
  readonly namespace: string
  readonly containers: readonly PricedContainer[]
  readonly hardQuota: HardQuota
  readonly nodes: ReadonlySet<string>
  readonly measuredHours: number
  readonly prices: PriceSummary
  /** New spend if no node is overfull, as if all namespaces changed at once. */
  readonly newSpendIfAllChangeUsd: number
}

export class ContainerList {
  readonly containers: PricedContainer[] = []
  add(container: PricedContainer): void {
    this.containers.push(container)
  }
}
