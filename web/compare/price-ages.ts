import type { Offer } from './candidates.ts'

export type Price = Pick<Offer['price'], 'day' | 'age_days' | 'is_indicative' | 'price_source'> & {
  source?: string
}

/** Nobody should act on such an old price before asking the provider. */
export const isOverAYearOld = ({ age_days: days, is_indicative: moves }: Price): boolean =>
  !moves && (days ?? 0) > 365

/** Says once for all prices of a page how old those of lists are; '' if there are none. */
export function priceAgesText(prices: readonly Price[], write: (day: string) => string): string {
  const listed = prices.filter(({ day, price_source: source }) => day !== null && source === 'list')
  const days = listed.map(({ day }) => day!).sort()
  const [oldest, newest] = [days[0], days.at(-1)]
  if (oldest === undefined || newest === undefined) return ''
  const span = oldest === newest ? write(oldest) : `${write(oldest)} to ${write(newest)}`
  const old = listed.filter(isOverAYearOld).length
  const share =
    old === listed.length ? 'All of them are' : old === 1 ? 'One of them is' : `${old} of them are`
  return `List prices of ${span}.${old === 0 ? '' : ` ${share} over a year old: ask the provider before acting on them.`}`
}
