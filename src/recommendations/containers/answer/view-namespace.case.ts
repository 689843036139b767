import type { PriceSummary } from '../../../costs/allocation/nodes.ts'
import { usdOf } from '../../../costs/allocation/spend.ts'
import { type HardQuota, NamespaceTotals } from '../../../costs/allocation/totals.ts'
import type { PricedContainer } from '../namespace-draft.ts'
import type { ContainerRecommendation, NamespaceRecommendation } from '../schema.ts'
import { viewSizes, viewSpend, viewTotals, viewUsd } from './view-namespace.ts'

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

/** What the text of an answer means. */
export function viewNamespace(sized: SizedNamespace, createdAt: number): NamespaceRecommendation {
  const { containers } = sized
  const totals = new NamespaceTotals()
  for (const container of containers) totals.addPriced(container)
  const newSpendUsd = containers.reduce((sum, { newSpend }) => sum + usdOf(newSpend), 0)
  const sums = { ...sized, totals, newSpendUsd }
  return {
    ...viewSpend(sums, createdAt),
    ContainerRecommendations: Object.fromEntries(
      containers.map((container) => [container.key, viewContainer(container)]),
    ),
    ...viewTotals(sums),
  }
}

/** The new spend is the last member, because it is known last. */
const viewContainer = (container: PricedContainer): ContainerRecommendation => ({
  ...viewSizes(container),
  NewSpend: viewUsd(usdOf(container.newSpend)),
})
