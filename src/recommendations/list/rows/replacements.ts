import type { Offer } from '../../../domain/offer.ts'
import type { Replace } from '../../../pricing/commitments/replaced-kinds.ts'
import { chooseCurrent } from '../../../pricing/current-offer.ts'
import type { Market, PricingDeps } from '../../../pricing/market.ts'
import type { Entity } from '../../../usage/digest/entities.ts'
import type { Recommendation } from '../schema.ts'

/** Returns what runs instead of a machine or a node. What would move elsewhere is regarded as staying. */
export function replacementsIn(
  advised: Iterable<Recommendation>,
  { findProvider }: Pick<PricingDeps, 'findProvider'>,
  { catalogue }: Market,
): Replace {
  const byPlace = new Map<string, Recommendation>()
  // The recommendation to remove an idle machine wins over that to replace it.
  for (const recommendation of advised) {
    const place = placeOf(recommendation.cluster ?? '', recommendation.machine ?? '')
    if (recommendation.effort !== 'high' && byPlace.get(place)?.kind !== 'idle')
      byPlace.set(place, recommendation)
  }
  return ({ ref }: Entity, offer: Offer) => {
    const recommendation = byPlace.get(placeOf(ref.cluster, ref.kind === 'machine' ? ref.name : ''))
    if (recommendation === undefined) return [{ offer, count: 1 }]
    const { operatingSystem: operating_system, usageType: usage_type } = offer
    // Each node of a cluster stands for an equal share of all that are planned, so that these come and go with the cluster.
    const before = recommendation.current.nodes ?? 1
    const size = { ...recommendation.recommended, operating_system, usage_type, count: 1 }
    const pools = recommendation.pools ?? (recommendation.recommended === null ? [] : [size])
    return pools.flatMap((pool) => {
      const { provider, region, instance_type: instanceType, operating_system: operatingSystem } = pool
      const key = provider && findProvider(provider)?.key
      if (!key || !region || !instanceType) return []
      const offers = catalogue.offersOf({ provider: key, region, instanceType, operatingSystem })
      const target = chooseCurrent(offers, { usageType: pool.usage_type, zone: '' })
      return target === undefined ? [] : [{ offer: target, count: pool.count / before }]
    })
  }
}

const placeOf = (cluster: string, machine: string): string => JSON.stringify([cluster, machine])
