import { priceAge } from '../../operations/compare/price-age.ts'
import type { PricedMachine, Review, ReviewedChange } from '../../operations/review-plan/review-plan.ts'
import { difference, dollars, formatPercent, plural, printable } from './figures.ts'

/** $120.00 a month before, $150.00 after: +$30.00 (+25.0%) */
export function headline({ totals }: Review): string {
  const { before_per_month: before, after_per_month: after, difference_per_month: change } = totals
  const share =
    before > 0 && change !== 0 ? ` (${change > 0 ? '+' : ''}${formatPercent((100 * change) / before)})` : ''
  return `Machines cost ${dollars(before)} a month before, ${dollars(after)} after: ${difference(change)}${share}.`
}

/** Those that cost something else afterwards, dearest first; the rest are only counted. */
export function changedMachines({ changes }: Review): { moving: ReviewedChange[]; still: number } {
  const moving = changes.filter(
    ({ action, difference_per_month: amount }) => action !== 'no-op' || amount !== 0,
  )
  const sorted = moving.toSorted((a, b) => b.difference_per_month - a.difference_per_month)
  return { moving: sorted, still: changes.length - moving.length }
}

export function describeMachine(machine: PricedMachine | null): string {
  if (machine === null) return '-'
  const { count, instance_type, provider, region, operating_system, usage_type } = machine
  const more = [
    operating_system === 'Linux' ? '' : operating_system,
    usage_type === 'ONDEMAND' ? '' : usage_type,
  ].filter((word) => word !== '')
  const words = [`${instance_type}${count === 1 ? '' : ` x ${count}`}`, provider, region, ...more]
  return printable(words.join(' '))
}

/** Prices of 2025-04-05 to 2026-08-22; some are older than 60 days. `today` is YYYY-MM-DD. */
export function priceDays({ changes }: Review, today: string): string {
  const days = changes
    .flatMap(({ before, after, suggestions }) => [before, after, ...suggestions])
    .flatMap((priced) => priced?.price_day ?? [])
    .sort()
  const [oldest, newest] = [days[0], days.at(-1)]
  if (oldest === undefined) return ''
  const old = priceAge(oldest, 'ONDEMAND', today).is_old ? '; some are older than 60 days' : ''
  return `Prices of ${oldest}${newest === oldest ? '' : ` to ${newest}`}${old}.`
}

export const otherResources = ({ other_resources: count }: Review): string =>
  count === 0
    ? ''
    : `${plural(count, 'other resource is not a machine and was', 'other resources are not machines and were')} not reviewed.`
