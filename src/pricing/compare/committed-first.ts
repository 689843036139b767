import type { Offer } from '../../domain/offer.ts'
import { similarPriceRatio } from '../../domain/recommendation.ts'
import { monthlyPrice } from '../answer/savings.ts'
import type { CommittedSaving } from '../commitments/schema.ts'
import { comparedFirst } from './faster-first.ts'

/** What giving up a machine saves, or replacing it, where an organisation has commitments. */
export interface CommittedMachine {
  /** Undefined if no commitment has to do with it. */
  saving(target?: Offer): CommittedSaving | undefined
  /** Number of offers to compare: each takes applying all commitments again. */
  readonly examined: number
}

/**
 * Moves what saves most while commitments last to the front. The order stays if they change nothing, among those that save
 * nearly as much, and between offers that can be compared and others.
 */
export function committedFirst(
  current: Offer,
  offers: readonly Offer[],
  committed: CommittedMachine | undefined,
): readonly Offer[] {
  if (committed === undefined) return offers
  const examined = offers.slice(0, committed.examined)
  const saved = new Map(examined.map((offer) => [offer, committed.saving(offer)?.saves_per_month]))
  if (examined.every((offer) => saved.get(offer) === undefined)) return offers
  const savesUsd = (offer: Offer): number => saved.get(offer) ?? monthlyPrice(current) - monthlyPrice(offer)
  const { compared, last } = comparedFirst(current, examined)
  return [compared, last].flatMap((some) => {
    const mostUsd = Math.max(...some.map(savesUsd))
    const isNear = (offer: Offer): boolean =>
      mostUsd - savesUsd(offer) <= (similarPriceRatio - 1) * monthlyPrice(offer)
    const rest = some.filter((offer) => !isNear(offer))
    return [...some.filter(isNear), ...rest.sort((a, b) => savesUsd(b) - savesUsd(a))]
  })
}
