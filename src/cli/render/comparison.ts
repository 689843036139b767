import type {
  ComparedCandidate,
  ComparedOffer,
  Comparison,
  ComparisonOption,
  Effort,
} from '../../operations/compare/comparison.ts'
import { dollars, formatPercent, hourly, plural, printable, size } from './figures.ts'
import { renderTable } from './table.ts'

export interface ComparisonStyle {
  /** Which options are shown; the others are named in a line. */
  readonly efforts: ReadonlySet<Effort>
  readonly withCarbon: boolean
}

/** The current machine in a sentence, then a short table per option, then what was not comparable. */
export function renderComparison(comparison: Comparison, style: ComparisonStyle): string {
  const { current, options, left_out: leftOut } = comparison
  const shown = options.filter(({ effort }) => style.efforts.has(effort))
  const parts = [
    currentText(comparison, style),
    ...shown.map((option) => optionText(option, style)),
    ...(shown.length === 0 ? ['Nothing comparable that holds its usage costs less.'] : []),
    [
      ...options.filter(({ effort }) => !style.efforts.has(effort)).map(hiddenLine),
      ...(leftOut.length === 0 ? [] : [leftOutLine(leftOut)]),
      ...marksLine([current, ...shown.flatMap(({ offers }) => offers)]),
    ].join('\n'),
  ]
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`
}

function currentText({ current }: Comparison, { withCarbon }: ComparisonStyle): string {
  const { provider, region, availability_zone: zone, machine, vm } = current
  const place = [provider, region, zone].filter((name) => name !== '').map(printable)
  const paid = [current.operating_system, current.usage_type, current.term ?? ''].filter(
    (text) => text !== '',
  )
  const sized = vm === null ? '' : `, ${size(vm.cpu_cores)} cores, ${size(vm.ram_gb)} GiB`
  const speed = machine.speed === null ? '' : `, CoreMark ${machine.speed.coremark_per_vcpu} a vCPU`
  const carbon = withCarbon && machine.carbon ? `, ${machine.carbon.grams_co2e_per_hour} g CO2e an hour` : ''
  const day = priceDay(current)
  const lines = [
    `Now: ${printable(current.instance_type)} at ${place.join(' ')} (${paid.join(', ')}) for ` +
      `${hourly(current.cost_per_hour)} an hour${day === '' ? '' : ` (price of ${day})`}${sized}${speed}${carbon}.`,
    `It needs ${size(current.required.cpu_cores)} cores of that speed and ${size(current.required.ram_gb)} GiB.`,
    ...current.notes,
  ]
  return lines.join('\n')
}

function optionText({ effort, why, offers }: ComparisonOption, { withCarbon }: ComparisonStyle): string {
  const header = [
    'TYPE',
    'PROVIDER',
    'REGION',
    'TERM',
    'CORES',
    'GIB',
    'SPEED',
    'PER HOUR',
    'SAVES',
    'A MONTH',
  ]
  const carbon = withCarbon ? ['G CO2E'] : []
  const rows = offers.map((offer) => [
    ...rowOf(offer),
    ...(withCarbon
      ? [offer.machine.carbon === null ? '' : String(offer.machine.carbon.grams_co2e_per_hour)]
      : []),
    priceDay(offer),
    changesText(offer),
  ])
  const figures = withCarbon ? [4, 5, 6, 7, 8, 9, 10] : [4, 5, 6, 7, 8, 9]
  return `${effort.toUpperCase()}  ${why}\n${renderTable([[...header, ...carbon, 'PRICE OF', 'CHANGES'], ...rows], figures)}`
}

function rowOf({ machine, vm, savings, ...offer }: ComparedCandidate): string[] {
  const band = machine.spot_interruption
  return [
    printable(offer.instance_type),
    printable(offer.provider),
    printable(offer.availability_zone || offer.region),
    offer.term ??
      (offer.usage_type === 'SPOT_PREEMPTIBLE' ? `spot${band ? ` ${band.band}` : ''}` : 'on demand'),
    vm === null ? '' : size(vm.cpu_cores),
    vm === null ? '' : size(vm.ram_gb),
    machine.performance ? `${machine.performance.ratio.toFixed(2)}x` : '?',
    hourly(offer.cost_per_hour),
    formatPercent(savings.percentage),
    dollars(savings.amount_per_month),
  ]
}

/** Which provider, region and payment it is has columns of its own. */
const seen = new Set(['provider', 'region', 'payment', 'term', 'unknown-speed'])

function changesText({ machine }: ComparedCandidate): string {
  const changes = (machine.changes ?? []).filter((change) => !seen.has(change))
  return changes.length === 0 ? '-' : changes.map((change) => change.replaceAll('-', ' ')).join(', ')
}

function priceDay({ price }: ComparedOffer): string {
  if (price.day === null) return ''
  return `${price.day}${price.is_indicative ? ' ~' : price.is_old ? ' !' : ''}`
}

function marksLine(offers: readonly ComparedOffer[]): string[] {
  const isOld = offers.some(({ price }) => price.is_old && !price.is_indicative)
  const isIndicative = offers.some(({ price }) => price.is_indicative)
  return [
    ...(isOld ? ['! The price is older than 60 days; `cheapside catalogue refresh` reads new ones.'] : []),
    ...(isIndicative ? ['~ A spot price older than 7 days: indicative.'] : []),
  ]
}

function hiddenLine({ effort, offers: [best] }: ComparisonOption): string {
  return `--${effort}: from ${hourly(best!.cost_per_hour)} an hour, saves ${formatPercent(best!.savings.percentage)}.`
}

function leftOutLine(leftOut: Comparison['left_out']): string {
  const total = leftOut.reduce((sum, { offers }) => sum + offers, 0)
  const reasons = leftOut.map(({ reason, offers }) => `${reason.replaceAll('-', ' ')} ${offers}`)
  return `${plural(total, 'cheaper offer')} of the size not comparable: ${reasons.join(', ')}.`
}
