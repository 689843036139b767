import { dollars } from '../../domain/money.ts'
import type { Offer } from '../../domain/offer.ts'
import type { Market, PricingDeps } from '../market.ts'
import { isActiveOn, lastDayOf } from './commitment.ts'
import { coverHour } from './cover-hour.ts'
import { kindOfOffer, planRates } from './running-kinds.ts'
import type { CommittedSaving } from './schema.ts'

/** Such as: Covered by ri until 2026-12-31: this saves $70.08 a month until then, $140.16 after. */
export function savingSentence(saving: CommittedSaving): string {
  const { commitments, until, stranded_per_month: stranded } = saving
  const kept =
    stranded === null || stranded > 0
      ? ` ${stranded === null ? 'Part' : `At most ${dollars(stranded)} a month`} of what is committed would be paid for nothing, unless other machines use it.`
      : ''
  return `Covered by ${namesText(commitments)} until ${until}: this saves ${dollars(saving.saves_per_month)} a month until then, ${dollars(saving.saves_per_month_after)} after.${kept}`
}

const maxNamed = 3

/** Notes that an organisation's commitments may cover a machine, which may or may not be one that runs. */
export async function commitmentNotes(
  deps: PricingDeps,
  market: Market,
  organisation: string,
  offer: Offer,
  day: string,
): Promise<string[]> {
  const all = (await deps.commitments?.(organisation)) ?? []
  const active = all.filter((commitment) => isActiveOn(commitment, day))
  const kind = active.length === 0 ? undefined : kindOfOffer(deps, market, offer, offer.zone)
  if (kind === undefined) return []
  const one = { ...kind, quantity: 1e-3 }
  // Each by itself, because the first would leave nothing for the others.
  const covering = active.filter(
    (commitment) => coverHour([commitment], [one], planRates(market)).uses[0]!.coveredUsd > 0,
  )
  if (covering.length === 0) return []
  return [
    `Your commitments may cover this machine: ${namesText(covering.map(({ name }) => name))} until ${lastDayOf(covering)}. While they last, replacing a covered machine saves less; /v1/commitments/coverage shows what is covered.`,
  ]
}

const namesText = (names: readonly string[]): string =>
  `${names.slice(0, maxNamed).join(', ')}${names.length > maxNamed ? ' and others' : ''}`
