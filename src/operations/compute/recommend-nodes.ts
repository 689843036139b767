import { setImmediate as otherWork } from 'node:timers/promises'
import type { Clock } from '../../domain/clock.ts'
import { cursorOf } from '../../domain/cursor.ts'
import { Problem } from '../../domain/problem.ts'
import type { Entity } from '../../usage/digest/entities.ts'
import type { UsageStore } from '../../usage/port.ts'
import { readEntities } from '../../usage/reading/read-entities.ts'
import { type Market, marketOf, type PricingDeps } from '../pricing/deps.ts'
import { describeNode } from '../pricing/price-node.ts'
import { namesAfter } from './name-cursor.ts'
import { type CheapestOfProvider, cheapestByProvider } from './recommend-compute.ts'

export interface NodesDeps {
  readonly now: Clock
  readonly pricing: PricingDeps
  readonly store: { readonly usage: Pick<UsageStore, 'entities'> }
}

export interface NodeRecommendation {
  readonly cluster: string
  readonly node: string
  readonly creationTime: string
  /** None where no price list has the node, or nothing comparable costs less. */
  readonly recommendations: readonly CheapestOfProvider[]
}

interface NodesRequest {
  readonly cluster?: string
  readonly limit: number
  readonly cursor?: string
}

/** The cheapest machines of each provider that are as large as a node, for each node of the clusters that are watched. */
export async function recommendNodes(
  deps: NodesDeps,
  organisation: string,
  { cluster, limit, cursor }: NodesRequest,
  signal?: AbortSignal,
): Promise<{ items: NodeRecommendation[]; next?: string }> {
  const after = cursor === undefined ? undefined : namesAfter(cursor, 2).join('\0')
  const market = await marketOf(deps.pricing, organisation)
  const kinds = ['node'] as const
  const known = await readEntities(deps.store.usage, organisation, {
    kinds,
    ...(cluster === undefined ? {} : { cluster }),
  })
  const nodes = [...known.values()]
    .map((entity) => ({ entity, place: `${entity.ref.cluster}\0${entity.ref.name}` }))
    .filter(({ place }) => after === undefined || place > after)
    .sort((a, b) => (a.place < b.place ? -1 : 1))
  const creationTime = new Date(deps.now()).toISOString()
  // Nodes of one pool are alike.
  const found = new Map<string, Promise<CheapestOfProvider[]>>()
  const items: NodeRecommendation[] = []
  for (const { entity } of nodes.slice(0, limit)) {
    signal?.throwIfAborted()
    await otherWork()
    const recommendations = await recommendationsFor(deps, organisation, market, entity, found)
    items.push({ cluster: entity.ref.cluster, node: entity.ref.name, creationTime, recommendations })
  }
  const last = items.at(-1)
  return nodes.length > limit && last !== undefined
    ? { items, next: cursorOf([last.cluster, last.node]) }
    : { items }
}

function recommendationsFor(
  { pricing }: NodesDeps,
  organisation: string,
  market: Market,
  node: Entity,
  found: Map<string, Promise<CheapestOfProvider[]>>,
): Promise<CheapestOfProvider[]> {
  const instance = describeNode(pricing, market, node)
  if (instance === undefined) return Promise.resolve([])
  return found.getOrInsertComputed(JSON.stringify(instance), () =>
    cheapestByProvider(pricing, organisation, { instance }).catch((error: unknown) => {
      if (!(error instanceof Problem)) throw error
      return []
    }),
  )
}
