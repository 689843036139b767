import { shippedFacts } from '../../catalogue/shipped-facts.ts'
import { coresPerCore } from '../../domain/comparability.ts'
import { NotFound } from '../../domain/not-found.ts'
import type { Architecture, Offer, UsageType } from '../../domain/offer.ts'
import { monthlyPrice } from '../../pricing/answer/savings.ts'
import { relativeSpeed } from '../../pricing/compare/faster-first.ts'
import { findCheaper, needToReplace, needWithin } from '../../pricing/find-cheaper.ts'
import { currentTraits } from '../../pricing/find-current.ts'
import type { Market } from '../../pricing/market.ts'
import type { CurrentNode, CurrentNodeType } from './cluster-nodes.ts'
import type { NodeSizes } from './node-sizes.ts'
import type { NodePool } from './packing/node-type.ts'

/** Nodes with their offer. The size of the pool's type is the one that counts for pods. */
export interface OfferedPool extends NodePool {
  readonly offer: Offer
}

/** Returns the current nodes as pools, by type. */
export function poolsOf(nodes: readonly CurrentNode[], sizes: NodeSizes): OfferedPool[] {
  const byType = Map.groupBy(nodes, ({ type }) => type)
  return [...byType].map(([type, { length }]) => poolOf(type, length, sizes))
}

/** The type must have an offer. */
export const poolOf = (of: CurrentNodeType, count: number, sizes: NodeSizes): OfferedPool => ({
  type: { name: of.instanceType, ...sizes.ofCurrent(of), perMonthUsd: of.perMonthUsd! },
  count,
  offer: of.offer!,
})

/** Where other nodes would be, and how they would be paid. What is absent is as now. */
export interface CandidateKind {
  readonly place: { readonly provider: string; readonly region: string }
  readonly usageType?: UsageType
  readonly architecture?: Architecture
}

/**
 * Returns pools without nodes of the types that could replace the nodes: of the same operating system and kind, as the
 * comparison of machines finds them. Burstable types are included only if all current ones are burstable, and only those
 * that sustain at least the same share of each vCPU. Cores that are slower than those of the fastest current type count
 * for less.
 */
export function candidatePools(
  market: Market,
  current: readonly Offer[],
  sizes: NodeSizes,
  { place, usageType, architecture }: CandidateKind,
): OfferedPool[] {
  const { catalogue } = market
  const speedOf = (offer: Offer): number => currentTraits(catalogue, offer).speed
  const fastest = current.reduce((a, b) => (speedOf(b) > speedOf(a) ? b : a))
  const baseline = Math.max(...current.map(({ burstableBaseline }) => burstableBaseline ?? 1))
  const asked = needToReplace(catalogue, fastest, {
    size: { vcpus: 0, ramGib: 0 },
    sustainedVcpus: 0,
    atAnyPrice: true,
    limit: maxTypes,
    offersPerType: pricedZones,
  })
  const need =
    asked instanceof NotFound ? undefined : needWithin('region', { ...fastest, ...place }, asked.need)
  if (need === undefined) return []
  const wanted = {
    ...need,
    gpu: { count: Math.min(1, need.gpu.count), name: need.gpu.name },
    near: undefined,
    ...(architecture === undefined ? {} : { architectures: [architecture] }),
    ...(usageType === undefined ? {} : { predicates: { ...need.predicates, usageTypes: [usageType] } }),
  }
  return findCheaper(market, wanted).flatMap(({ offers }): OfferedPool[] => {
    // Spot prices differ by zone, and nodes are in several.
    const offer = offers[0]?.usageType === 'SPOT_PREEMPTIBLE' ? offers.at(-1) : offers[0]
    if (offer === undefined || offer.vcpus === null || offer.ramGib === null) return []
    if (offer.vcpus < minCores || offer.ramGib < minGib || !savesAsSpot(offer)) return []
    if (!(offer.pricePerHourUsd > 0) || (offer.burstableBaseline ?? 1) < baseline) return []
    const type = {
      name: offer.instanceType,
      ...sizes.ofOffer(offer),
      cores: offer.vcpus / coresPerCore(need.comparableTo, speedOf(offer)),
      perMonthUsd: monthlyPrice(offer),
      speed: relativeSpeed(current[0]!, offer),
    }
    return [{ type, count: 0, offer }]
  })
}

/** More types than any provider has. */
const maxTypes = 10_000
/** Nodes on spot are counted at the price of the third cheapest zone. */
const pricedZones = 3

/** Minimum size of a Kubernetes node: kubernetes.io/docs/setup/production-environment/tools/kubeadm/install-kubeadm */
const minCores = 2
const minGib = 2

const savesAsSpot = ({ usageType, provider, region, operatingSystem, instanceType }: Offer): boolean =>
  usageType !== 'SPOT_PREEMPTIBLE' ||
  shippedFacts().machines.spotSaves(provider, region, operatingSystem, instanceType)

/** Returns all regions of the same continent and partition, of every provider. */
export function placesAround(
  { catalogue }: Market,
  providers: readonly string[],
  { provider, region }: Offer,
): CandidateKind['place'][] {
  const area = shippedFacts().places.areaAround(provider, region)
  if (area === undefined) return []
  return providers.flatMap((key) =>
    catalogue
      .regionsOf(key)
      .filter((name) => catalogue.rules.areaOf(key, name) === area && (key !== provider || name !== region))
      .map((name) => ({ provider: key, region: name })),
  )
}
