import type { PriceSummary } from '../../allocation/nodes.ts'
import type { HardQuota } from '../../allocation/totals.ts'
import type { NamespaceDraft, PricedContainer } from '../../namespace-sizes/namespace-draft.ts'
import type { HourlyUseCache } from '../../namespace-sizes/overfull-nodes.ts'
import { type SizesDeps, type SizesQuery, sizeNamespaces } from '../../namespace-sizes/size-namespaces.ts'
import { namespaceCursor } from './query.ts'

interface SizesPage {
  /** In order of cluster, then of namespace. */
  readonly namespaces: readonly SizedNamespace[]
  /** Present while there is more. */
  readonly next?: string
}

/**
 * The whole answer as objects; with viewNamespace() it says what the text of sizesAnswer() means, and streamed.test.ts holds the
 * two equal. The command line uses it, since it writes manifests from the same objects.
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
  /** Nodes its pods ran on. */
  readonly nodes: ReadonlySet<string>
  /** Hours of the window that were measured. */
  readonly measuredHours: number
  readonly prices: PriceSummary
  /** New spend where no node is overfull, as when all namespaces change at once. */
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
