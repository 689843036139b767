import { Badge } from '../parts/badge.tsx'
import { day } from '../parts/figures.ts'
import type { Price } from './price-ages.ts'
import { sourceNames } from './words.ts'

/** Shows the day of a price, and marks spot prices that have moved since and prices that are not on a provider's list. */
export function PriceDay({ of }: { of: Price }) {
  if (of.price_source === 'base') return <Badge tone="warn">estimate</Badge>
  if (of.price_source === 'own') return <span title={of.source}>yours</span>
  return (
    <span className="two-lines" title={of.source ?? sourceNames[of.price_source]}>
      {day(of.day)}
      {of.is_indicative && <Badge tone="warn">indicative</Badge>}
    </span>
  )
}
