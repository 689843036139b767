import { comparabilityOf } from '../../domain/comparability.ts'
import { hoursPerMonth } from '../../domain/money.ts'
import type { Offer } from '../../domain/offer.ts'
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
import { type Entity, readEntities } from '../../usage/digest/entities.ts'

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
  /** The smallest limit that a node reports; undefined if no node reports one. */
  podLimit: number | undefined
  /** Nodes of the same group can take each other's pods. */
  readonly group: string
}

export interface CurrentNode {
  readonly name: string
  readonly type: CurrentNodeType
  /** Hours since 1970 in which the node was first and last seen. */
  readonly firstHour: number
  readonly lastHour: number
}

/** Keyed by name. */
export type ClusterNodes = ReadonlyMap<string, CurrentNode>

/** Reads all nodes that were ever seen, by cluster. */
export async function readClusterNodes(
  { pricing, usage }: NodePriceDeps,
  organisation: string,
  cluster: string | undefined,
): Promise<{ readonly market: Market; readonly clusters: ReadonlyMap<string, ClusterNodes> }> {
  const market = await marketOf(pricing, organisation)
  const query = { kinds: ['node'] as const, ...(cluster === undefined ? {} : { cluster }) }
  const clusters = new Map<string, Map<string, CurrentNode>>()
  const types = new NodeTypes(pricing, market)
  for (const entity of (await readEntities(usage, organisation, query)).values()) {
    const { firstHour, lastHour, ref } = entity
    clusters
      .getOrInsertComputed(ref.cluster, () => new Map())
      .set(ref.name, { name: ref.name, type: types.typeOf(entity), firstHour, lastHour })
  }
  return { market, clusters }
}

class NodeTypes {
  readonly #pricing: PricingDeps
  readonly #market: Market
  readonly #byDescription = new Map<string, CurrentNodeType>()
  readonly #byOffer = new Map<string, CurrentNodeType>()

  constructor(pricing: PricingDeps, market: Market) {
    this.#pricing = pricing
    this.#market = market
  }

  typeOf(node: Entity): CurrentNodeType {
    const described = describeNode(this.#pricing, this.#market, node)
    // The price of a node that is on no list may come from its size or its metrics, so it is a type of its own.
    const key = JSON.stringify([node.ref.cluster, described ?? node.ref.name])
    const type = this.#byDescription.getOrInsertComputed(key, () => this.#find(node, described))
    const [cores, gib] = [numberOf(node, 'capacity/cpu'), numberOf(node, 'capacity/memory') / gibBytes]
    type.cores = least(type.cores, cores) ?? 0
    type.gib = least(type.gib, gib) ?? 0
    type.podLimit = least(type.podLimit, numberOf(node, 'capacity/pods'))
    return type
  }

  /** All zones of a region have the same price, except for spot. */
  #find(node: Entity, described: InstanceDescription | undefined): CurrentNodeType {
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
      podLimit: undefined,
      group: offer === undefined ? '' : groupOf(this.#market, offer),
    }))
  }
}

/** A pod keeps its architecture, operating system and accelerator, and the usage type of its node. */
function groupOf({ catalogue }: Market, offer: Offer): string {
  const { provider, region, operatingSystem, usageType, architecture, gpuCount, gpuName } = offer
  const { kinds } = comparabilityOf(currentTraits(catalogue, offer))
  return JSON.stringify([
    provider,
    region,
    operatingSystem,
    usageType,
    architecture,
    gpuCount,
    gpuName,
    kinds,
  ])
}

/** 0 means unknown. */
const least = (known: number | undefined, reported: number): number | undefined =>
  reported === 0 ? known : Math.min(known || reported, reported)

function numberOf(node: Entity, attribute: string): number {
  const value = node.attributes.get(attribute)?.value
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : 0
}
