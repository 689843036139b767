import type { Offer } from '../../domain/offer.ts'
import type {
  CommitmentAdviceQuery,
  CommitmentRecommendations,
} from '../../pricing/commitments/advice-schema.ts'
import { adviseCommitments } from '../../pricing/commitments/advise-commitments.ts'
import { type Replace, replaceNothing } from '../../pricing/commitments/replaced-kinds.ts'
import { viewCommitmentAdvice } from '../../pricing/commitments/view-advice.ts'
import { chooseCurrent } from '../../pricing/current-offer.ts'
import { type Market, marketOf, type PricingDeps } from '../../pricing/market.ts'
import { Yielder } from '../../runtime/yielder.ts'
import type { Entity } from '../../usage/digest/entities.ts'
import type { ListAdviceDeps } from './list-recommendations.ts'
import type { Advice } from './schema.ts'

/** Returns how much to commit for what runs steadily, after the recommendations for machines and nodes are followed. */
export async function recommendCommitments(
  deps: ListAdviceDeps,
  organisation: string,
  { days, sizes }: CommitmentAdviceQuery,
  signal: AbortSignal,
): Promise<CommitmentRecommendations> {
  const replace = sizes === 'now' ? replaceNothing : await readReplacements(deps, organisation, signal)
  const found = await adviseCommitments(deps.machines, organisation, { days, replace }, new Yielder(signal))
  return viewCommitmentAdvice(found, deps.now())
}

export async function readReplacements(
  deps: ListAdviceDeps,
  organisation: string,
  signal: AbortSignal,
): Promise<Replace> {
  const { pricing } = deps.machines
  const list = await deps.advice.listOf(organisation, signal)
  const ids = list.rows.filter(({ advice }) => advice.kind === 'cluster' || advice.machine !== null)
  const advised = list.find(new Set(ids.map(({ advice: { id } }) => id)))
  return replacementsIn(advised.values(), pricing, await marketOf(pricing, organisation))
}

/** Returns what runs instead of a machine or a node. What would move elsewhere is regarded as staying. */
export function replacementsIn(
  advised: Iterable<Advice>,
  { findProvider }: Pick<PricingDeps, 'findProvider'>,
  { catalogue }: Market,
): Replace {
  const byPlace = new Map<string, Advice>()
  // The advice to remove an idle machine wins over that to replace it.
  for (const advice of advised) {
    const place = placeOf(advice.cluster ?? '', advice.machine ?? '')
    if (advice.effort !== 'high' && byPlace.get(place)?.kind !== 'idle') byPlace.set(place, advice)
  }
  return ({ ref }: Entity, offer: Offer) => {
    const advice = byPlace.get(placeOf(ref.cluster, ref.kind === 'machine' ? ref.name : ''))
    if (advice === undefined) return [{ offer, count: 1 }]
    const { operatingSystem: operating_system, usageType: usage_type } = offer
    // Each node of a cluster stands for an equal share of all that are planned, so that these come and go with the cluster.
    const before = advice.current.nodes ?? 1
    const size = { ...advice.recommended, operating_system, usage_type, count: 1 }
    const pools = advice.pools ?? (advice.recommended === null ? [] : [size])
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
