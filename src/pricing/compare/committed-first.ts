import type { Offer } from '../../domain/offer.ts'
import { monthlyPrice, type Price } from '../answer/savings.ts'
import type { CommittedSaving } from '../commitments/schema.ts'

/** What giving up a machine saves, or replacing it, where an organisation has commitments. */
export interface CommittedMachine {
  /** Undefined if no commitment has to do with it. */
  saving(target?: Offer): CommittedSaving | undefined
  /** Number of offers to compare: each takes applying all commitments again. */
  readonly examined: number
}

/** Moves what saves most while commitments last to the front; the order stays if they change nothing. */
export function committedFirst(
  current: Price,
  offers: readonly Offer[],
  committed: CommittedMachine | undefined,
): readonly Offer[] {
  if (committed === undefined) return offers
  const examined = offers.slice(0, committed.examined).map((offer) => {
    const saving = committed.saving(offer)?.saves_per_month
    return { offer, saving, savesUsd: saving ?? monthlyPrice(current) - monthlyPrice(offer) }
  })
  if (examined.every(({ saving }) => saving === undefined)) return offers
  return examined.sort((a, b) => b.savesUsd - a.savesUsd).map(({ offer }) => offer)
}
