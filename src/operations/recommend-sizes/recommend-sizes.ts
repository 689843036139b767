import type { PriceSummary } from '../../allocation/nodes.ts'
import type { HardQuota } from '../../allocation/totals.ts'
import type { NamespaceDraft, PricedContainer } from '../../namespace-sizes/namespace-draft.ts'
import type { HourlyUseCache } from '../../namespace-sizes/overfull-nodes.ts'
import { type SizesDeps, type SizesQuery, sizeNamespaces } from '../../namespace-sizes/size-namespaces.ts'
import { namespaceCursor } from './query.ts'

interface SizesPage {
  /** Ordered by cluster, then by namespace. */
  readonly namespaces: readonly SizedNamespace[]
  /** Cursor of the next page; absent on the last one. */
  readonly next?: string
}

/**
 * Returns the whole answer as objects. With viewNamespace() it defines what the text of sizesAnswer() means;
 * streamed.test.ts checks that both are equal. The command line uses it, since it writes manifests from the same
 * objects.
 */
export async function recommendSizes(
  deps: SizesDeps,
  organisation: string,
  query: SizesQuery,
  kept?: HourlyUseCache,
): Promise<SizesPage> {
  const options = kept === undefined ? {} : { kept }
  const sizing = sizeNamespaces(deps, organisation, query, () => new ContainerList(), options)
  const namespaces: SizedNamespace[] = []
  for (;;) {
    const { value, done } = await sizing.next()
    if (done) return { namespaces, ...(value === undefined ? {} : { next: namespaceCursor(value) }) }
    namespaces.push(sizedNamespace(value))
  }
}

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
  readonly spendIfAllUsd: number
}

class ContainerList {
  readonly containers: PricedContainer[] = []
  add(container: PricedContainer): void {
    this.containers.push(container)
  }
}

function sizedNamespace(draft: NamespaceDraft<ContainerList>): SizedNamespace {
  const { cluster, namespace, hardQuota, nodes, content, measuredHours, prices, spendIfAllUsd } = draft
  const containers = content.containers.map((container, index) => ({
    ...container,
    spendThen: draft.spendThenAt(index),
  }))
  return {
    cluster,
    namespace,
    containers: containers.slice(draft.from, draft.to),
    nodes,
    hardQuota,
    measuredHours,
    prices,
    spendIfAllUsd,
  }
}
