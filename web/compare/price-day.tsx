import { Badge } from '../parts/badge.tsx'
import { day } from '../parts/figures.ts'
import type { Offer } from './candidates.ts'
import { sourceNames } from './words.ts'

type Price = Pick<Offer['price'], 'day' | 'age_days' | 'is_indicative' | 'price_source'> & {
  source?: string
}

/** Shows the day of a price, and marks prices that nobody should act on unasked or that are not a provider's list price. */
export function PriceDay({ of }: { of: Price }) {
  if (of.price_source === 'base') return <Badge tone="warn">estimate</Badge>
  if (of.price_source === 'own') return <span title={of.source}>yours</span>
  return (
    <span className="two-lines" title={of.source ?? sourceNames[of.price_source]}>
      {day(of.day)}
      {of.is_indicative ? (
        <Badge tone="warn">indicative</Badge>
      ) : (
        isOverAYearOld(of) && <Badge tone="warn">over a year old</Badge>
      )}
    </span>
  )
}

/** Nobody should act on such an old price before asking the provider. */
export const isOverAYearOld = ({ age_days: days, is_indicative: moves }: Price): boolean =>
  !moves && (days ?? 0) > 365
