import { changePhrase } from '../../domain/machine-description.ts'
import { dollars } from '../../domain/money.ts'
import { plural } from '../../domain/text.ts'
import type {
  PricedCharge,
  PricedMachines,
  PricedSide,
  Review,
  ReviewedChange,
  ReviewedResource,
  Suggestion,
} from '../../pricing/terraform/review/schema.ts'
import { size as amount, difference, formatPercent, printable } from './figures.ts'

/** The resources cost $120.00 a month before, $150.00 after: +$30.00 (+25.0%). */
export function headline({ totals, hours_per_month: hours }: Review): string {
  const { before_per_month: before, after_per_month: after, difference_per_month: change } = totals
  const { possible_savings_per_month: possible } = totals
  const share =
    before > 0 && change !== 0 ? ` (${change > 0 ? '+' : ''}${formatPercent((100 * change) / before)})` : ''
  const month = hours === 730 ? 'a month' : `a month of ${hours} hours`
  const savings = possible > 0 ? ` Suggestions below would save up to ${dollars(possible)}.` : ''
  return `The priced resources cost ${dollars(before)} ${month} before, ${dollars(after)} after: ${difference(change)}${share}.${savings}`
}

export function coverage(review: Review): string {
  const { changes, unpriced, unknown, free } = review
  const parts = [
    `${plural(changes.length, 'resource')} priced`,
    ...(unpriced.length > 0 ? [`${unpriced.length} known but not priced`] : []),
    ...(unknown.length > 0 ? [`${unknown.length} of an unknown type`] : []),
    ...(free.length > 0 ? [`${free.length} free of charge`] : []),
  ]
  const open = unpriced.length + unknown.length
  const warning =
    open === 0
      ? ''
      : ` ${plural(open, 'resource without a price is', 'resources without a price are')} not in the totals.`
  return `${parts.join(', ')}.${warning}`
}

/** The resources that the plan changes or whose cost changes, greatest increase first, and the number of the others. */
export function changedMachines({ changes }: Review): { moving: ReviewedChange[]; still: number } {
  const moving = changes.filter(
    ({ action, difference_per_month: amount }) => action !== 'no-op' || amount !== 0,
  )
  const sorted = moving.toSorted((a, b) => b.difference_per_month - a.difference_per_month)
  return { moving: sorted, still: changes.length - moving.length }
}

export const describeSide = (side: PricedSide | null): string =>
  side === null || side.machines.length + side.charges.length === 0
    ? '-'
    : [...side.machines.map(describeMachines), ...side.charges.map(describeCharge)].join(' + ')

/** gp3 100 GiB AWS us-east-1 (estimate) */
function describeCharge({ name, count, provider, region, is_estimate }: PricedCharge): string {
  const many = count === 1 ? '' : ` x ${count}`
  return printable(
    [`${name}${many}`, provider, region, is_estimate ? '(estimate)' : ''].filter(Boolean).join(' '),
  )
}

/** m5.large x 3 (1 to 10) AWS us-east-1 Windows SPOT_PREEMPTIBLE */
export function describeMachines(machines: PricedMachines): string {
  const { minimum, maximum } = machines
  const range = minimum === null || maximum === null ? '' : ` (${minimum.count} to ${maximum.count})`
  return described(machines, range)
}

export const describeSuggestion = (suggestion: Suggestion): string => described(suggestion, '')

interface Described {
  readonly count: number
  readonly instance_type: string
  readonly provider: string
  readonly region: string
  readonly operating_system: string
  readonly usage_type: string
  readonly term?: string | null
}

function described(machines: Described, range: string): string {
  const { count, instance_type, provider, region, operating_system, usage_type, term } = machines
  const many = count === 1 && range === '' ? '' : ` x ${count}${range}`
  const words = [
    `${instance_type}${many}`,
    provider,
    region,
    operating_system === 'Linux' ? '' : operating_system,
    usage_type === 'ONDEMAND' ? '' : usage_type,
    term ?? '',
  ]
  return printable(words.filter((word) => word !== '').join(' '))
}

/** fewer-cores, local-disk-lost -> fewer cores, no local disk */
export const describeChanges = ({ changes, sized_for: size }: Suggestion): string =>
  [
    ...changes.map(changePhrase),
    ...(size === null
      ? []
      : [
          `sized for ${amount(size.cpu_cores)} cores and ${amount(size.ram_gb)} GiB based on its usage history`,
        ]),
  ].join(', ')

/** The address of a resource, with the name of the plan if there are several plans. */
export const resourceName = ({ plan, address }: ReviewedResource, { plans }: Review): string =>
  printable(plans.length > 1 ? `${plan}: ${address}` : address)

/** A resource that is in no total, with the reason if it is known. */
export type LeftOut = ReviewedResource & { readonly reason?: string }

export const byType = <Resource extends ReviewedResource>(resources: readonly Resource[]): Resource[] =>
  resources.toSorted((a, b) => (a.type < b.type ? -1 : a.type > b.type ? 1 : 0))

export const drift = ({ drifted }: Review): string =>
  drifted === 0
    ? ''
    : `${plural(drifted, 'resource was', 'resources were')} changed outside of Terraform; the costs before include that.`

export const priceDays = ({ price_days: days, changes }: Review): string =>
  days === null
    ? ''
    : `Prices from ${days.oldest}${days.newest === days.oldest ? '' : ` to ${days.newest}`}${days.is_outdated ? `; older than a year, so ask the provider before acting on them: ${printable(days.outdated.join('; '))}` : days.is_old ? '; some are older than 60 days' : ''}.${ruleNames(changes)}`

/** Such as: Price rules applied: EDP, Support. */
function ruleNames(changes: Review['changes']): string {
  const machines = changes.flatMap(({ before, after }) => [
    ...(before?.machines ?? []),
    ...(after?.machines ?? []),
  ])
  const names = [...new Set(machines.flatMap(({ price_rules = [] }) => price_rules))]
  return names.length === 0 ? '' : ` Price rules applied: ${names.map(printable).join(', ')}.`
}

export const scope =
  'Traffic, requests, operations and licences other than Windows are not included, nor disks whose size the plan does not set.'
