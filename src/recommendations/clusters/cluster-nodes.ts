import { comparabilityOf } from '../../domain/comparability.ts'
import { hoursPerMonth } from '../../domain/money.ts'
import {
  anyPod,
  isTaintAttribute,
  type NodePlacement,
  parseTaint,
  placementKey,
} from '../../domain/node-placement.ts'
import type { Offer } from '../../domain/offer.ts'
import { hourSeconds } from '../../domain/time.ts'
import type { EntityRef } from '../../domain/usage-series.ts'
import { monthlyPrice } from '../../pricing/answer/savings.ts'
import { currentTraits } from '../../pricing/find-current.ts'
import { type Market, marketOf, type PricingDeps } from '../../pricing/market.ts'
import {
  describeNode,
  type NodeCost,
  type NodePriceDeps,
  nodeOffer,
  priceNode,
} from '../../pricing/price-node.ts'
import type { InstanceDescription } from '../../pricing/request/request.ts'
import { gibBytes } from '../../usage/digest/digest.ts'
import { type Entity, type InitRequests, initRequestsOf, readEntities } from '../../usage/digest/entities.ts'

/** A type of node in a cluster, at a price. */
export interface CurrentNodeType {
  readonly key: string
  /** '' if it is unknown. */
  readonly instanceType: string
  /** Undefined if no price list has it. */
  readonly offer: Offer | undefined
  readonly cost: NodeCost
  readonly perMonthUsd: number | null
  /** From the price list, or the smallest value that a node of the type reports; 0 if both are unknown. */
  cores: number
  gib: number
  /** The smallest that a node reports; undefined if no node reports one. */
  capacityGib: number | undefined
  podLimit: number | undefined
  readonly allocatable: { cores: number | undefined; gib: number | undefined }
  /** Nodes of the same group can take each other's pods. */
  readonly group: string
  readonly placement: NodePlacement
}

export interface CurrentNode {
  readonly name: string
  readonly type: CurrentNodeType
  readonly zone?: string
  /** Hours since 1970 in which the node was first and last seen. */
  readonly firstHour: number
  readonly lastHour: number
}

/** Keyed by name. */
export type ClusterNodes = ReadonlyMap<string, CurrentNode>

/** Nodes, and the requests of init containers by `workloadKey`. */
export interface ClusterFacts {
  readonly market: Market
  readonly clusters: ReadonlyMap<string, ClusterNodes>
  readonly initRequests: ReadonlyMap<string, InitRequests>
}

export const workloadKey = ({ cluster, namespace, name }: Omit<EntityRef, 'kind'>): string =>
  `${cluster}\0${namespace}\0${name}`

/** Reads all nodes that were ever seen, by cluster. */
export async function readClusterFacts(
  { pricing, usage }: NodePriceDeps,
  organisation: string,
  cluster: string | undefined,
): Promise<ClusterFacts> {
  const market = await marketOf(pricing, organisation)
  const query = { kinds: ['node', 'workload'] as const, ...(cluster === undefined ? {} : { cluster }) }
  const clusters = new Map<string, Map<string, CurrentNode>>()
  const initRequests = new Map<string, InitRequests>()
  const types = new PricedNodeTypes(pricing, market)
  for (const entity of (await readEntities(usage, organisation, query)).values()) {
    const { ref } = entity
    if (ref.kind === 'workload') {
      const requests = initRequestsOf(entity)
      if (requests.size > 0) initRequests.set(workloadKey(ref), requests)
      continue
    }
    clusters.getOrInsertComputed(ref.cluster, () => new Map()).set(ref.name, types.nodeOf(entity))
  }
  return { market, clusters, initRequests }
}

export class PricedNodeTypes {
  readonly #pricing: PricingDeps
  readonly #market: Market
  readonly #byDescription = new Map<string, CurrentNodeType>()
  readonly #byOffer = new Map<string, CurrentNodeType>()

  constructor(pricing: PricingDeps, market: Market) {
    this.#pricing = pricing
    this.#market = market
  }

  nodeOf(node: Entity, placement?: NodePlacement): CurrentNode {
    const { ref, firstHour, lastHour } = node
    const zone = node.attributes.get('zone')?.value
    const at = typeof zone === 'string' ? { zone } : {}
    return { name: ref.name, type: this.typeOf(node, placement), ...at, firstHour, lastHour }
  }

  /** Nodes of different groups are of different types, even if they have the same price. */
  typeOf(node: Entity, placement = reportedPlacement(node)): CurrentNodeType {
    const group = placementKey(placement)
    const described = describeNode(this.#pricing, this.#market, node)
    // The price of a node that is on no list may come from its size or its metrics, so it is a type of its own.
    const key = JSON.stringify([node.ref.cluster, described ?? node.ref.name, group])
    const type = this.#byDescription.getOrInsertComputed(key, () => this.#find(node, described, placement))
    const reported = (name: string): number => numberOf(node, name)
    const gib = reported('capacity/memory') / gibBytes
    type.cores = least(type.cores, reported('capacity/cpu')) ?? 0
    type.gib = least(type.gib, gib) ?? 0
    type.capacityGib = least(type.capacityGib, gib)
    type.podLimit = least(type.podLimit, reported('allocatable/pods') || reported('capacity/pods'))
    const { allocatable } = type
    allocatable.cores = least(allocatable.cores, reported('allocatable/cpu'))
    allocatable.gib = least(allocatable.gib, reported('allocatable/memory') / gibBytes)
    return type
  }

  /** All zones of a region have the same price, except for spot. */
  #find(node: Entity, described: InstanceDescription | undefined, placement: NodePlacement): CurrentNodeType {
    const group = placementKey(placement)
    const { cluster, name } = node.ref
    const found = nodeOffer(this.#pricing, this.#market, node)
    const cost = priceNode(this.#pricing, this.#market, node, found)
    const offer = cost.source === 'metric' || cost.source === 'base' ? undefined : found
    const key = JSON.stringify(
      offer === undefined
        ? [cluster, name]
        : [
            cluster,
            offer.provider,
            offer.region,
            offer.zone,
            offer.instanceType,
            offer.operatingSystem,
            offer.usageType,
            group,
          ],
    )
    return this.#byOffer.getOrInsertComputed(key, () => ({
      key,
      instanceType: offer?.instanceType ?? described?.instance_type ?? '',
      offer,
      cost,
      perMonthUsd: offer ? monthlyPrice(offer) : cost.perHourUsd && cost.perHourUsd * hoursPerMonth,
      cores: offer?.vcpus ?? 0,
      gib: offer?.ramGib ?? 0,
      capacityGib: undefined,
      podLimit: undefined,
      allocatable: { cores: undefined, gib: undefined },
      group: offer === undefined ? '' : groupOf(this.#market, offer) + group,
      placement,
    }))
  }
}

/** Taints that were there when the node was last reported. */
function reportedPlacement({ attributes, lastHour }: Entity): NodePlacement {
  const taints = [...attributes].flatMap(([name, { at, value }]) =>
    isTaintAttribute(name) && at >= (lastHour - 1) * hourSeconds ? [parseTaint(String(value))] : [],
  )
  return taints.length === 0 ? anyPod : { taints, labels: {} }
}

/** A pod keeps its architecture, operating system and accelerator, and the usage type of its node. */
function groupOf({ catalogue }: Market, offer: Offer): string {
  const { provider, region, operatingSystem, usageType, architecture, gpuName } = offer
  const { kinds } = comparabilityOf(currentTraits(catalogue, offer))
  return JSON.stringify([provider, region, operatingSystem, usageType, architecture, gpuName, kinds])
}

/** 0 means unknown. */
const least = (known: number | undefined, reported: number): number | undefined =>
  reported === 0 ? known : Math.min(known || reported, reported)

function numberOf(node: Entity, attribute: string): number {
  const value = node.attributes.get(attribute)?.value
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : 0
}
