import type { Offer } from '../../domain/offer.ts'
import type { Entity } from '../../usage/digest/entities.ts'
import type { Market, PricingDeps } from '../market.ts'
import { nodeOffer } from '../price-node.ts'
import type { HourlyCounts } from './hourly-counts.ts'
import { kindOfOffer } from './running-kinds.ts'

/** What runs instead of a machine once recommendations are followed. */
export interface Replacement {
  readonly offer: Offer
  /** A share of a machine if fewer or other nodes do the work of several. */
  readonly count: number
}

export type Replace = (machine: Entity, offer: Offer) => readonly Replacement[]

export const replaceNothing: Replace = (_, offer) => [{ offer, count: 1 }]

/** Counts what runs instead of a machine, in the hours in which the machine ran. */
export function countReplaced(
  counts: HourlyCounts,
  pricing: PricingDeps,
  market: Market,
  machine: Entity,
  replace: Replace,
  hours: Pick<Entity, 'firstHour' | 'lastHour'> = machine,
): void {
  const offer = nodeOffer(pricing, market, machine)
  if (offer === undefined) return
  const zone = String(machine.attributes.get('zone')?.value ?? '')
  for (const then of replace(machine, offer)) {
    const kind = kindOfOffer(pricing, market, then.offer, then.offer === offer ? zone : '')
    if (kind !== undefined) counts.add(kind, hours, then.count)
  }
}
