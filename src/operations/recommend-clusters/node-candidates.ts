import { searchAll } from '../../catalogue/catalogue.ts'
import { coresPerCore, type Likeness, likenessOf } from '../../domain/likeness.ts'
import type { Offer } from '../../domain/offer.ts'
import type { Market } from '../../market/deps.ts'
import { currentTraits } from '../../market/find-current.ts'
import { monthlyPrice } from '../../pricing/savings.ts'

/** More types than any provider has. */
const mostTypes = 10_000

/** What Kubernetes asks of a machine: kubernetes.io/docs/setup/production-environment/tools/kubeadm/install-kubeadm */
const leastCores = 2
const leastGib = 2

/** A type that nodes can be of; its cores in those of the fastest current type. */
export interface NodeCandidate {
  readonly offer: Offer
  readonly cores: number
  readonly gib: number
  readonly perMonthUsd: number
}

/**
 * Types of the same provider, region, architecture, operating system, payment and kind, as the comparison of machines has
 * them. Burstable ones only where all current ones are, and then those that sustain as much of each vCPU.
 */
export function nodeCandidates(market: Market, current: readonly Offer[]): NodeCandidate[] {
  const [first] = current as readonly [Offer, ...Offer[]]
  const like = fastestOf(market, current)
  const baseline = Math.max(...current.map(({ burstableBaseline }) => burstableBaseline ?? 1))
  const { provider, region, operatingSystem, usageType, architecture } = first
  const found = searchAll([market.catalogue, ...market.own.catalogues], {
    ...{ vcpus: 0, ramGib: 0, sustainedVcpus: 0, operatingSystem },
    ...(architecture === '' ? {} : { architectures: [architecture] }),
    gpu: { count: 0, name: '' },
    ...{ belowPerHourUsd: Number.POSITIVE_INFINITY, belowPerMonthUsd: Number.POSITIVE_INFINITY },
    predicates: { providers: [provider], regions: [region], usageTypes: [usageType] },
    like,
    withoutLocalZones: true,
    ...{ limit: mostTypes, offersPerType: 1 },
  })
  return found.flatMap(({ offers: [offer] }): NodeCandidate[] => {
    if (offer === undefined || offer.vcpus === null || offer.ramGib === null) return []
    if (offer.vcpus < leastCores || offer.ramGib < leastGib) return []
    if (!(offer.pricePerHourUsd > 0) || (offer.burstableBaseline ?? 1) < baseline) return []
    const cores = offer.vcpus / coresPerCore(like, currentTraits(market.catalogue, offer).speed)
    return [{ offer, cores, gib: offer.ramGib, perMonthUsd: monthlyPrice(offer) }]
  })
}

/** All current types are of one kind; slower cores than those of the fastest count for less. */
function fastestOf({ catalogue }: Market, current: readonly Offer[]): Likeness {
  const traits = current.map((offer) => currentTraits(catalogue, offer))
  const fastest = traits.reduce((a, b) => (b.speed > a.speed ? b : a))
  return likenessOf(fastest, false)
}
