import { dollars, savedPercentOfMonth } from '../../domain/money.ts'
import { plural } from '../../domain/text.ts'
import type { Effort } from '../../pricing/compare/comparison.ts'
import type { ComparedOffer, Comparison, ComparisonOption } from '../../pricing/compare/schema.ts'
import { coreCount, formatPercent, hourly, printable, size } from './figures.ts'
import {
  changesText,
  gpuText,
  markLines,
  offerCells,
  offerFigures,
  offerHeader,
  priceDay,
  termText,
} from './offer-cells.ts'
import { renderTable } from './table.ts'

interface ComparisonStyle {
  /** Efforts whose options are shown; the others are mentioned in a line. */
  readonly efforts: ReadonlySet<Effort>
  readonly withCarbon: boolean
}

export function renderComparison(comparison: Comparison, style: ComparisonStyle): string {
  const { current, options, left_out: leftOut } = comparison
  const shown = options.filter(({ effort }) => style.efforts.has(effort))
  const parts = [
    currentText(comparison, style),
    ...shown.map((option) => optionText(option, style)),
    ...(shown.length === 0 ? ['No comparable machine costs less with the same payment option.'] : []),
    [
      ...(['commit', 'spot', 'anywhere'] as const)
        .filter((effort) => style.efforts.has(effort) && shown.every((option) => option.effort !== effort))
        .map((effort) => `--${effort}: ${nothingText(effort, comparison)}`),
      ...options.filter(({ effort }) => !style.efforts.has(effort)).map(hiddenLine),
      ...(leftOut.length === 0 ? [] : [leftOutLine(leftOut)]),
      ...markLines([current, ...shown.flatMap(({ offers }) => offers)]),
      ...(style.withCarbon
        ? [
            "CO2e: grams per hour of operation at half load, by the grid's yearly average; the range is in brackets.",
          ]
        : []),
    ].join('\n'),
  ]
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`
}

/** `unpriced_efforts` is undefined if the service has an earlier version. */
function nothingText(effort: Effort, { current, ...comparison }: Comparison): string {
  const unpriced: readonly Effort[] | undefined = comparison.unpriced_efforts
  if (!unpriced?.includes(effort))
    return comparison.options.length === 0
      ? 'nothing costs less.'
      : 'nothing costs less than the machines above.'
  const { provider, region, operating_system: system, gpu } = current
  const like = `${gpu === null ? '' : ` with ${gpuText(gpu)}`}${system === 'Linux' ? '' : ` with ${system}`}`
  const paid = effort === 'commit' ? 'commitment' : effort
  return `no ${paid} prices of ${printable(provider)} in ${printable(region)}${like} are known.`
}

function currentText({ current }: Comparison, { withCarbon }: ComparisonStyle): string {
  const { provider, region, availability_zone: zone, machine, vm } = current
  const place = [provider, region, zone].filter((name) => name !== '').map(printable)
  const paid = [current.operating_system, current.usage_type, current.term ?? ''].filter(
    (text) => text !== '',
  )
  const facts = [
    ...(vm === null ? [] : [coreCount(vm.cpu_cores), `${size(vm.ram_gb)} GiB`]),
    ...(current.gpu === null ? [] : [gpuText(current.gpu)]),
    ...(machine.speed === null ? [] : [`CoreMark ${machine.speed.coremark_per_vcpu} per vCPU`]),
    ...(withCarbon && machine.carbon !== null ? [`${carbonText(current)} g CO2e an hour`] : []),
  ]
  const day = priceDay(current)
  const lines = [
    `Now: ${printable(current.instance_type)} at ${place.join(' ')} (${paid.join(', ')}) for ` +
      `${hourly(current.cost_per_hour)} an hour, ${dollars(current.cost_per_month)} a month` +
      `${day === '' ? '' : ` (price of ${day})`}: ${facts.join(', ')}.`,
    needText(current),
    ...current.notes,
    ...newerLines(current),
  ]
  return lines.join('\n')
}

/** Undefined if the service has an earlier version. */
function newerLines({ newer_at_same_price: newer }: Partial<Comparison['current']>): string[] {
  if (newer == null) return []
  const faster = formatPercent(100 * (newer.performance_ratio - 1))
  return [`Newer at the same price: ${printable(newer.instance_type)}, ${faster} faster.`]
}

function needText({ usage, required, vm, machine }: Comparison['current']): string {
  const isWholeMemory = vm !== null && usage.ram_gb === vm.ram_gb
  const isWholeCpu = vm !== null && usage.cpu_cores === vm.cpu_cores
  const isSustained = machine.vcpu_kind === 'burstable' && required.cpu_cores === vm?.cpu_cores
  if (isWholeMemory && (isWholeCpu || isSustained)) {
    const cpu = isWholeCpu ? '' : ` (of its CPU, the ${coreCount(usage.cpu_cores)} that it sustains)`
    return `The whole machine counts as used${cpu}; set --usage-cpu and --usage-ram to compare smaller machines too.`
  }
  const speed = machine.speed === null ? '' : ' of this speed'
  return (
    `It uses ${coreCount(usage.cpu_cores)} and ${size(usage.ram_gb)} GiB and, with headroom, needs ` +
    `${coreCount(required.cpu_cores)}${speed} and ${size(required.ram_gb)} GiB.`
  )
}

function optionText({ effort, why, offers }: ComparisonOption, { withCarbon }: ComparisonStyle): string {
  const header = [...offerHeader, ...(withCarbon ? ['G CO2E AN HOUR'] : []), 'PRICE DATE', 'CHANGES']
  const rows = offers.map((offer) => [
    ...offerCells(offer),
    ...(withCarbon ? [carbonText(offer)] : []),
    priceDay(offer),
    changesText(offer, effort),
  ])
  const figures = withCarbon ? [...offerFigures, offerHeader.length] : offerFigures
  return `${renderTable([[effort.toUpperCase(), why]])}\n${renderTable([header, ...rows], figures)}`
}

function carbonText({ machine: { carbon } }: ComparedOffer): string {
  return carbon === null ? '?' : `${carbon.grams_co2e_per_hour} (${carbon.low}-${carbon.high})`
}

function hiddenLine({ effort, offers }: ComparisonOption): string {
  const best = offers.reduce((a, b) => (b.cost_per_hour < a.cost_per_hour ? b : a))
  return (
    `--${effort} shows more: from ${hourly(best.cost_per_hour)} an hour ` +
    `(${printable(best.instance_type)}, ${termText(best)}), saves ${formatPercent(savedPercentOfMonth(best))}.`
  )
}

const leftOutPhrases: Record<Comparison['left_out'][number]['reason'], string> = {
  'other-accelerator': 'with a different accelerator',
  'other-kind': 'of a different kind (bare metal, storage, confidential, ...)',
  'ended-or-ending': 'retired or with an end date',
  undocumented: 'not documented by the provider',
  'not-sold-there': 'not sold in that region',
  'too-little-local-disk': 'with too little local disk',
  'other-architecture': 'of another architecture (see --to-architecture)',
  'too-slow': 'with cores that are too slow',
  'cannot-sustain': 'burstable with a baseline below the usage',
  'other-payment': 'with another payment option',
  'too-far': 'on another continent or in another jurisdiction',
  'local-zone': 'in local zones',
}

function leftOutLine(leftOut: Comparison['left_out']): string {
  const total = leftOut.reduce((sum, { offers }) => sum + offers, 0)
  const reasons = leftOut
    .toSorted((a, b) => b.offers - a.offers)
    .map(({ reason, offers }) => `${count(offers)} ${leftOutPhrases[reason]}`)
  const are = total === 1 ? 'is' : 'are'
  return `${plural(total, 'cheaper price').replace(/^\d+/, count(total))} ${are} not comparable: ${reasons.join(', ')}.`
}

const count = (amount: number): string => amount.toLocaleString('en-US')
