import { changePhrase } from '../../domain/machine-description.ts'
import { dollars, hoursPerMonth, savedPercentOfMonth } from '../../domain/money.ts'
import { type Effort, outdatedAfterDays, type PriceAge } from '../../pricing/compare/comparison.ts'
import type { ComparedCandidate, ComparedOffer } from '../../pricing/compare/schema.ts'
import { formatPercent, hourly, printable, size } from './figures.ts'

export const offerHeader = [
  'TYPE',
  'REGION',
  'TERM',
  'CORES',
  'GIB',
  'VCPU SPEED',
  'PER HOUR',
  'SAVES',
  'SAVES A MONTH',
] as const
/** Indices of the columns with numbers, which are aligned right. */
export const offerFigures = [3, 4, 5, 6, 7, 8] as const

export function offerCells({ machine, vm, savings, ...offer }: ComparedCandidate): string[] {
  return [
    `${offer.instance_type}${offer.gpu ? ` (${gpuText(offer.gpu)})` : ''}`,
    `${offer.provider} ${offer.availability_zone || offer.region}`,
    termText({ ...offer, machine }),
    vm === null ? '' : size(vm.cpu_cores),
    vm === null ? '' : size(vm.ram_gb),
    machine.performance ? `${machine.performance.ratio.toFixed(2)}x` : '?',
    hourly(offer.cost_per_hour),
    formatPercent(savedPercentOfMonth({ ...offer, savings })),
    dollars(savings.amount_per_month),
  ]
}

export const gpuText = ({ count, name }: { count: number; name: string }): string =>
  `${size(count)} x ${printable(name) || 'unknown accelerator'}`

type Paid = Pick<ComparedOffer, 'term' | 'usage_type'> & Pick<ComparedOffer, 'machine'>

/** 1y-savings-plan, on demand, spot >20% */
export function termText({ term, usage_type: usageType, machine }: Paid): string {
  if (term !== null) return term
  if (usageType !== 'SPOT_PREEMPTIBLE') return 'on demand'
  return machine.spot_interruption === null ? 'spot' : `spot ${machine.spot_interruption.band}`
}

/** Changes that are visible in other columns: provider, region, payment and unknown speed. */
const seen = new Set(['provider', 'region', 'payment', 'term', 'unknown-speed'])

/** A change of payment is left out for the efforts commit and spot, which are about payment. */
export function changesText(
  { machine }: { machine: Pick<ComparedOffer['machine'], 'changes'> },
  effort: Effort | undefined = undefined,
): string {
  const isNews = effort !== undefined && effort !== 'commit' && effort !== 'spot'
  const changes = (machine.changes ?? []).filter(
    (change) => !seen.has(change) || (isNews && change === 'payment'),
  )
  if (changes.length === 0) return '-'
  return changes.map(changePhrase).join(', ')
}

export function priceDay({ price }: Pick<ComparedOffer, 'price'>): string {
  if (price.day === null) return ''
  return `${price.day}${ageMark(price)}`
}

export function ageMark(age: PriceAge): string {
  if (age.is_indicative) return ' ~'
  if ((age.age_days ?? 0) > outdatedAfterDays) return ' !!'
  return age.is_old ? ' !' : ''
}

export function ageLines(ages: readonly PriceAge[]): string[] {
  const marks = new Set(ages.map(ageMark))
  return ageMeanings.flatMap(([mark, meaning]) => (marks.has(mark) ? [meaning] : []))
}

const ageMeanings = [
  [' !', '! The price is older than 60 days; `cheapside catalogue refresh` fetches new ones.'],
  [' !!', '!! The price is older than a year: ask the provider before acting on it.'],
  [' ~', '~ The spot price is older than 7 days and only indicative.'],
] as const

export function markLines(offers: readonly ComparedOffer[]): string[] {
  const has = (test: (offer: ComparedOffer) => boolean): boolean => offers.some(test)
  return [
    ...ageLines(offers.map(({ price }) => price)),
    ...(has(isMonthCheaper)
      ? [
          'A month costs less than 730 hours if the provider caps its price or gives a discount for sustained use. SAVES is of a month.',
        ]
      : []),
    ...(has(({ machine }) => machine.performance === null)
      ? ['? Speed not known: its cores are assumed to be equally fast.']
      : []),
    ...(has(({ machine }) => machine.vcpu_kind === 'burstable')
      ? ['The speed of burstable vCPUs is that of the share they sustain; in bursts they are faster.']
      : []),
    ...(has(({ machine }) => machine.spot_interruption !== null)
      ? [
          'The percentage after "spot" is the share of machines interrupted within a month, as reported by the provider.',
        ]
      : []),
  ]
}

/** Amounts are rounded to thousandths. */
const isMonthCheaper = (offer: ComparedOffer): boolean =>
  offer.cost_per_month < offer.cost_per_hour * hoursPerMonth - 0.01
