import { coresPerCore } from '../../domain/comparability.ts'
import { NotFound } from '../../domain/not-found.ts'
import type { Offer } from '../../domain/offer.ts'
import { monthlyPrice } from '../../pricing/answer/savings.ts'
import { relativeSpeed } from '../../pricing/compare/faster-first.ts'
import { findCheaper, needToReplace, needWithin } from '../../pricing/find-cheaper.ts'
import { currentTraits } from '../../pricing/find-current.ts'
import type { Market } from '../../pricing/market.ts'
import type { CurrentNode } from './cluster-nodes.ts'
import type { NodeSizes } from './node-sizes.ts'
import type { NodePool, NodeType } from './packing/node-type.ts'

/** Rules that a caller sets for every pool. */
export interface ClusterRules {
  readonly headroom: number
  readonly minNodes: number
  /** If undefined, the limit that nodes report, or else that of the provider's Kubernetes service. */
  readonly podsPerNode: number | undefined
  /** Most types of nodes that take each other's pods. */
  readonly maxPools: number
}

/** A tenth stays free, and no node is more than a third of the pool. */
export const defaultClusterRules: ClusterRules = {
  headroom: 0.1,
  minNodes: 3,
  podsPerNode: undefined,
  maxPools: 3,
}

/** Nodes with their offer. The size of the pool's type is the one that counts for pods. */
export interface OfferedPool extends NodePool {
  readonly offer: Offer
}

/** Returns the current nodes as pools, by type. */
export function poolsOf(nodes: readonly CurrentNode[], sizes: NodeSizes): OfferedPool[] {
  const byType = Map.groupBy(nodes, ({ type }) => type)
  return [...byType].map(([of, members]) => ({
    type: { name: of.instanceType, ...sizes.ofCurrent(of), perMonthUsd: of.perMonthUsd! },
    count: members.length,
    offer: of.offer!,
  }))
}

/** Returns pools of the types that could replace the nodes. */
export function candidatePools(
  market: Market,
  current: readonly OfferedPool[],
  sizes: NodeSizes,
): OfferedPool[] {
  if (current[0]!.offer.usageType === 'SPOT_PREEMPTIBLE') return []
  const offers = current.map(({ offer }) => offer)
  return nodeCandidates(market, offers).map(({ offer, cores, perMonthUsd }) => {
    const type: NodeType = {
      name: offer.instanceType,
      ...sizes.ofOffer(offer),
      cores,
      perMonthUsd,
      speed: relativeSpeed(current[0]!.offer, offer),
    }
    return { type, count: 0, offer }
  })
}

/** More types than any provider has. */
const maxTypes = 10_000

/** Minimum size of a Kubernetes node: kubernetes.io/docs/setup/production-environment/tools/kubeadm/install-kubeadm */
const minCores = 2
const minGib = 2

/** A possible type for nodes. Its cores are converted to cores of the fastest current type. */
interface NodeCandidate {
  readonly offer: Offer
  readonly cores: number
  readonly perMonthUsd: number
}

/**
 * Finds types of the same provider, region, architecture, operating system, usage type and kind, as the comparison of
 * machines does. Burstable types are included only if all current ones are burstable, and only those that sustain at
 * least the same share of each vCPU.
 */
function nodeCandidates(market: Market, current: readonly Offer[]): NodeCandidate[] {
  const { catalogue } = market
  // All current types are of one kind. Cores that are slower than those of the fastest type count for less.
  const speedOf = (offer: Offer): number => currentTraits(catalogue, offer).speed
  const fastest = current.reduce((a, b) => (speedOf(b) > speedOf(a) ? b : a))
  const baseline = Math.max(...current.map(({ burstableBaseline }) => burstableBaseline ?? 1))
  const asked = needToReplace(catalogue, fastest, {
    size: { vcpus: 0, ramGib: 0 },
    sustainedVcpus: 0,
    atAnyPrice: true,
    limit: maxTypes,
  })
  const need = asked instanceof NotFound ? undefined : needWithin('region', fastest, asked.need)
  if (need === undefined) return []
  return findCheaper(market, need).flatMap(({ offers: [offer] }): NodeCandidate[] => {
    if (offer === undefined || offer.vcpus === null || offer.ramGib === null) return []
    if (offer.vcpus < minCores || offer.ramGib < minGib) return []
    if (!(offer.pricePerHourUsd > 0) || (offer.burstableBaseline ?? 1) < baseline) return []
    const cores = offer.vcpus / coresPerCore(need.comparableTo, speedOf(offer))
    return [{ offer, cores, perMonthUsd: monthlyPrice(offer) }]
  })
}
