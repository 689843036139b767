import { setImmediate as otherWork } from 'node:timers/promises'
import type { ClusterLoads, NodeLoadCache } from '../../costs/clusters/node-load-cache.ts'
import { cursorOf } from '../../domain/cursor.ts'
import { round } from '../../domain/money.ts'
import { NotFound } from '../../domain/not-found.ts'
import { type Clock, hourMs } from '../../domain/time.ts'
import { cheapestByProvider } from '../../pricing/compute/recommend-compute.ts'
import type { CheapestOfProvider, ComputePrice } from '../../pricing/compute/schema.ts'
import { marketOf, type PricingDeps } from '../../pricing/market.ts'
import { describeNode } from '../../pricing/price-node.ts'
import type { InstanceDescription, Resources } from '../../pricing/request/request.ts'
import { type Entity, readEntities } from '../../usage/digest/entities.ts'
import type { UsageStore } from '../../usage/port.ts'
import type { HourRange } from '../../usage/reading/pod-usage.ts'
import { namesAfter } from './describe-vms.ts'
import type { NodeRecommendation } from './schema.ts'

export interface NodesDeps {
  readonly now: Clock
  readonly pricing: PricingDeps
  readonly store: { readonly usage: Pick<UsageStore, 'entities'> }
  readonly loads: NodeLoadCache
}

/** For each node of the observed clusters, finds the cheapest machines of each provider that hold its pods. */
export async function recommendNodes(
  deps: NodesDeps,
  organisation: string,
  { cluster, limit, cursor }: { readonly cluster?: string; readonly limit: number; readonly cursor?: string },
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
  // Nodes of one pool are alike, so each kind of node is searched once.
  const found = new Map<string, Promise<CheapestOfProvider[]>>()
  const usages = new NodeUsage(deps, organisation)
  const items: NodeRecommendation[] = []
  for (const { entity } of nodes.slice(0, limit)) {
    signal?.throwIfAborted()
    await otherWork()
    const { cluster, name: node } = entity.ref
    const usage = await usages.usageOf(entity)
    const instance = describeNode(deps.pricing, market, entity)
    const recommendations = await recommendationsFor(deps, organisation, instance, usage, found)
    const isElsewhere = recommendations.some(({ pricing }) => !isAt(deps.pricing, pricing, instance))
    items.push({
      cluster,
      node,
      creationTime,
      usage,
      recommendations,
      notes: isElsewhere ? [elsewhereNote] : [],
    })
  }
  const last = items.at(-1)
  return nodes.length > limit && last !== undefined
    ? { items, next: cursorOf([last.cluster, last.node]) }
    : { items }
}

/** The resources that each node had to provide. The loads of a cluster are read once. */
class NodeUsage {
  readonly #read: (cluster: string) => Promise<ClusterLoads>
  readonly #hours: HourRange
  readonly #loads = new Map<string, Promise<ClusterLoads>>()

  constructor({ loads, now }: NodesDeps, organisation: string) {
    const to = Math.floor(now() / hourMs)
    this.#hours = { from: to - usageHours, to }
    this.#read = (cluster) => loads.loadsOf(organisation, cluster, this.#hours)
  }

  /** Returns at most the size of the node, because pods that replaced each other within an hour are both counted. */
  async usageOf(node: Entity): Promise<Resources | null> {
    const { cluster, name } = node.ref
    const { loads } = await this.#loads.getOrInsertComputed(cluster, this.#read)
    const known = loads.columnsOf(name)
    if (known === undefined) return null
    const start = Math.max(0, this.#hours.from - known.first)
    const end = Math.min(known.length, this.#hours.to - known.first)
    const cores = known.cores.subarray(start, end).reduce((a, b) => Math.max(a, b), 0)
    const gib = known.gib.subarray(start, end).reduce((a, b) => Math.max(a, b), 0)
    if (cores === 0 && gib === 0) return null
    return {
      cpu_cores: round(Math.min(cores, capacityOf(node, 'cpu')), 6),
      ram_gb: round(Math.min(gib, capacityOf(node, 'memory') / 2 ** 30), 6),
    }
  }
}

function capacityOf(node: Entity, resource: 'cpu' | 'memory'): number {
  const value = node.attributes.get(`capacity/${resource}`)?.value
  return typeof value === 'number' && value > 0 ? value : Number.POSITIVE_INFINITY
}

const usageHours = 7 * 24

const elsewhereNote =
  'A machine of another provider or region cannot be a node of a managed cluster (EKS, AKS, GKE): it needs a cluster there.'

function isAt(
  { findProvider }: PricingDeps,
  { provider, region }: ComputePrice,
  node: InstanceDescription | undefined,
): boolean {
  const keyOf = (name: string): string => findProvider(name)?.key ?? name.toLowerCase()
  return (
    node !== undefined &&
    keyOf(provider) === keyOf(node.provider) &&
    region.toLowerCase() === node.region.toLowerCase()
  )
}

function recommendationsFor(
  { pricing }: NodesDeps,
  organisation: string,
  instance: InstanceDescription | undefined,
  usage: Resources | null,
  found: Map<string, Promise<CheapestOfProvider[]>>,
): Promise<CheapestOfProvider[]> {
  if (instance === undefined) return Promise.resolve([])
  const question = usage === null ? { instance } : { instance, usage }
  return found.getOrInsertComputed(JSON.stringify(question), () =>
    cheapestByProvider(pricing, organisation, question).then((cheapest) =>
      cheapest instanceof NotFound ? [] : cheapest,
    ),
  )
}
