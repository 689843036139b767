import type { SizedNamespace } from './answer/view-namespace.case.ts'
import { ContainerList } from './compare-rules.ts'
import type { NamespaceDraft } from './namespace-draft.ts'
import type { HourlyUseBudget } from './overfull-nodes.ts'
import { namespaceCursor } from './query.ts'
import { type SizesDeps, type SizesQuery, sizeNamespaces } from './size-namespaces.ts'

interface SizesPage {
  /** Ordered by cluster, then by namespace. */
  readonly namespaces: readonly SizedNamespace[]
  /** Cursor of the next page; absent on the last one. */
  readonly next?: string
}

/**
 * Returns the whole answer as objects. With viewNamespace() it defines what the text of sizesAnswer() means;
 * streamed.test.ts checks that both are equal.
 */
export async function recommendSizes(
  deps: SizesDeps,
  organisation: string,
  query: SizesQuery,
  hourlyUseBudget?: HourlyUseBudget,
): Promise<SizesPage> {
  const options = hourlyUseBudget === undefined ? {} : { hourlyUseBudget }
  const sizing = sizeNamespaces(deps, organisation, query, () => new ContainerList(), options)
  const namespaces: SizedNamespace[] = []
  for (;;) {
    const { value, done } = await sizing.next()
    if (done) return { namespaces, ...(value === undefined ? {} : { next: namespaceCursor(value) }) }
    namespaces.push(sizedNamespace(value))
  }
}

/** Returns the containers on the requested page, with their new spend. */
function sizedNamespace(draft: NamespaceDraft<ContainerList>): SizedNamespace {
  const { cluster, namespace, hardQuota, nodes, content, measuredHours, prices, newSpendIfAllChangeUsd } =
    draft
  const containers = content.containers.map((container, index) => ({
    ...container,
    newSpend: draft.newSpendAt(index),
  }))
  return {
    cluster,
    namespace,
    containers: containers.slice(draft.from, draft.to),
    nodes,
    hardQuota,
    measuredHours,
    prices,
    newSpendIfAllChangeUsd,
  }
}
