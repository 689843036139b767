import type { Offer } from '../../domain/offer.ts'
import type {
  CommitmentAdviceQuery,
  CommitmentRecommendations,
} from '../../pricing/commitments/advice-schema.ts'
import { adviseCommitments, type Replacement } from '../../pricing/commitments/advise-commitments.ts'
import { viewCommitmentAdvice } from '../../pricing/commitments/view-advice.ts'
import { chooseCurrent } from '../../pricing/current-offer.ts'
import { marketOf } from '../../pricing/market.ts'
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
  const replace =
    sizes === 'now'
      ? (_: Entity, offer: Offer): Replacement => ({ offer, count: 1 })
      : await replacements(deps, organisation, signal)
  const found = await adviseCommitments(deps.machines, organisation, { days, replace }, new Yielder(signal))
  return viewCommitmentAdvice(found, deps.now())
}

/** Returns what runs instead of a machine or a node. What would move elsewhere is regarded as staying. */
async function replacements(deps: ListAdviceDeps, organisation: string, signal: AbortSignal) {
  const { pricing } = deps.machines
  const list = await deps.advice.listOf(organisation, signal)
  const { catalogue } = await marketOf(pricing, organisation)
  const ids = list.rows.filter(({ advice }) => advice.kind === 'cluster' || advice.machine !== null)
  const byPlace = new Map<string, Advice>()
  // The advice to remove an idle machine wins over that to replace it.
  for (const advice of list.find(new Set(ids.map(({ advice: { id } }) => id))).values()) {
    const place = placeOf(advice.cluster ?? '', advice.machine ?? '')
    if (advice.effort !== 'high' && byPlace.get(place)?.kind !== 'idle') byPlace.set(place, advice)
  }
  return ({ ref }: Entity, offer: Offer): Replacement => {
    const advice = byPlace.get(placeOf(ref.cluster, ref.kind === 'machine' ? ref.name : ''))
    if (advice === undefined) return { offer, count: 1 }
    if (advice.recommended === null) return { offer, count: 0 }
    const { provider, region, instance_type: instanceType, nodes } = advice.recommended
    const key = provider === null ? undefined : pricing.findProvider(provider)?.key
    const { operatingSystem, usageType } = offer
    const target =
      key !== undefined && region !== null && instanceType !== null
        ? chooseCurrent(catalogue.offersOf({ provider: key, region, instanceType, operatingSystem }), {
            usageType,
            zone: '',
          })
        : undefined
    const before = advice.current.nodes ?? 1
    if (target !== undefined) return { offer: target, count: (nodes ?? before) / before }
    // Pools of several types: as many of each kind fewer as they save.
    const cost = advice.cost_per_month ?? 0
    return { offer, count: cost > 0 ? Math.max(0, 1 - advice.worth_per_month / cost) : 1 }
  }
}

const placeOf = (cluster: string, machine: string): string => JSON.stringify([cluster, machine])
