import type { Offer } from '../../domain/offer.ts'
import { commitmentNames } from '../answer/commitment-texts.ts'
import type { Market, PricingDeps } from '../market.ts'
import { isActiveOn, lastDayOf } from './commitment.ts'
import { coverHour } from './cover-hour.ts'
import { kindOfOffer, planRates } from './running-kinds.ts'

export type NotesOnOffer = (offer: Offer) => string[]

/** Returns what notes that an organisation's commitments may cover a machine, which may or may not be one that runs. */
export async function commitmentNotes(
  deps: PricingDeps,
  market: Market,
  organisation: string,
  day: string,
): Promise<NotesOnOffer> {
  const all = (await deps.commitments?.(organisation)) ?? []
  const active = all.filter((commitment) => isActiveOn(commitment, day))
  const rates = planRates(market)
  return (offer) => {
    const kind = active.length === 0 ? undefined : kindOfOffer(deps, market, offer, offer.zone)
    if (kind === undefined) return []
    const one = { ...kind, quantity: 1e-3 }
    // Each by itself, because the first would leave nothing for the others.
    const covering = active.filter(
      (commitment) => coverHour([commitment], [one], rates).uses[0]!.coveredUsd > 0,
    )
    if (covering.length === 0) return []
    return [
      `Your commitments may cover this machine: ${commitmentNames(covering.map(({ name }) => name))} until ${lastDayOf(covering)}. While they last, replacing a covered machine saves less; /v1/commitments/coverage shows what is covered.`,
    ]
  }
}
