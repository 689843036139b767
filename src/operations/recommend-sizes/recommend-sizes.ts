import { readEntities } from '../usage/read-entities.ts'
import { Breath } from './breath.ts'
import { containersOf } from './containers.ts'
import type { SizesDeps } from './deps.ts'
import { ClusterFacts } from './facts.ts'
import { KeptUses, usesOf } from './kept-uses.ts'
import type { ClusterLoads } from './load-book.ts'
import { NodeLoads } from './node-loads.ts'
import { remembered } from './node-prices.ts'
import { cursorOf, type SizesQuery } from './query.ts'
import { readNamespaces } from './read-namespaces.ts'
import { type SizedNamespace, sizeNamespace } from './sized-namespace.ts'
import { changedLoads, overfullNodes, withinNodes } from './within-nodes.ts'

export interface SizesPage {
  /** In order of cluster, then of namespace. */
  readonly namespaces: readonly SizedNamespace[]
  /** Present while there is more. */
  readonly next?: string
}

/** From what ran in a window to what every container of every namespace should ask for. */
export async function recommendSizes(
  deps: SizesDeps,
  organisation: string,
  query: SizesQuery,
  kept = new KeptUses(),
): Promise<SizesPage> {
  const { hours, cluster, limit, explain } = query
  if (hours.from >= hours.to) return { namespaces: [] }
  const [prices, advisor, entities] = await Promise.all([
    deps.nodePrices(organisation, cluster).then(remembered),
    deps.advisor(organisation, query.wish),
    readEntities(deps.store.usage, organisation, {
      kinds: ['quota', 'autoscaler'],
      ...(cluster === undefined ? {} : { cluster }),
    }),
  ])
  const facts = new ClusterFacts(entities.values(), hours.from)
  const breath = new Breath()
  const clusters = new Map<string, { loads: ClusterLoads; changes: NodeLoads }>()
  const namespaces: SizedNamespace[] = []
  let next: string | undefined
  for await (const usage of readNamespaces(deps, organisation, query)) {
    if (namespaces.length >= limit) {
      next = cursorOf(namespaces.at(-1)!)
      break
    }
    let known = clusters.get(usage.cluster)
    if (known === undefined) {
      known = { loads: usage.loads, changes: new NodeLoads() }
      clusters.set(usage.cluster, known)
    }
    const containers = containersOf(usage.pods)
    const { changes } = known
    namespaces.push(
      await sizeNamespace(usage, containers, { advisor, explain, prices, facts, changes, breath }),
    )
    kept.add(usesOf(containers))
  }

  for (const [name, { loads, changes }] of clusters) {
    const nodes = new Set(namespaces.flatMap((sized) => (sized.cluster === name ? [...sized.nodes] : [])))
    const loadsOf = changedLoads(loads.loads, changes)
    const overfull = overfullNodes(hours, name, nodes, loadsOf, prices)
    if (overfull.size === 0) continue
    for (const [index, sized] of namespaces.entries()) {
      if (sized.cluster !== name || overfull.isDisjointFrom(sized.nodes)) continue
      const uses = kept.of(index)
      if (uses !== undefined) {
        namespaces[index] = withinNodes(sized, uses, loadsOf, prices)
        continue
      }
      const again = { hours, cluster: name, namespace: sized.namespace, after: undefined }
      for await (const { pods } of readNamespaces(deps, organisation, again))
        namespaces[index] = withinNodes(sized, usesOf(containersOf(pods)), loadsOf, prices)
    }
  }
  return { namespaces, ...(next === undefined ? {} : { next }) }
}
