import { dollars } from '../../domain/money.ts'
import { plural } from '../../domain/text.ts'
import type { ComparedCandidate } from '../../pricing/compare/schema.ts'
import type { VmRecommendation, VmSummary } from '../../recommendations/machines/schema.ts'
import { formatPercent, hourly, noMachines, printable } from './figures.ts'
import { changesText, markLines, offerCells, offerFigures, offerHeader, priceDay } from './offer-cells.ts'
import { renderTable } from './table.ts'

const shownByDefault = 20

export function renderVms(
  summaries: readonly VmSummary[],
  recommendations: readonly VmRecommendation[],
  all = false,
): string {
  if (summaries.length === 0) return noMachines
  const byCost = [...recommendations].sort((a, b) => b.currentSpend - a.currentSpend)
  const shown = all ? byCost : byCost.slice(0, shownByDefault)
  const left = byCost.length - shown.length
  return [
    machineTable(summaries),
    ...renderOptions(summaries),
    '',
    processTable(shown),
    ...(left > 0 ? [`(${plural(left, 'more process', 'more processes')}; --all shows them)`] : []),
  ].join('\n')
}

function machineTable(summaries: readonly VmSummary[]): string {
  const header = [
    'MACHINE',
    'CORES USED',
    'CORES NEEDED',
    'CPU UTILISATION',
    'GIB USED',
    'GIB NEEDED',
    'MEMORY UTILISATION',
    'PER HOUR',
    'UNUSED',
  ]
  const rows = summaries.map((summary) => [
    `${summary.vm}${summary.idle ? ' (idle)' : ''}`,
    amount(summary.totalCurrentCPU),
    amount(summary.totalRecommendedCPU),
    formatPercent(summary.expectedUtilisationCPU),
    amount(summary.totalCurrentRAM),
    amount(summary.totalRecommendedRAM),
    formatPercent(summary.expectedUtilisationRAM),
    perHour(summary.rehost),
    unused(summary.spend),
  ])
  return [
    renderTable([header, ...rows], [1, 2, 3, 4, 5, 6, 7, 8]),
    'Used: mean of the latest hour. Needed: the recommended size. Utilisation: mean usage of the whole period, of the needed size. Unused: the part of the price that no process used.',
    ...(summaries.some(({ rehost }) => isEstimate(rehost))
      ? ['~ Estimated at base rates: the price of the machine is not known.']
      : []),
  ].join('\n')
}

const unused = (spend: VmSummary['spend']): string =>
  spend == null || spend.total === 0 ? '-' : formatPercent((100 * spend.unused) / spend.total)

const isEstimate = (rehost: VmSummary['rehost']): boolean =>
  rehost?.priceSource === 'base' && rehost.currentCostPerHour !== null

const perHour = (rehost: VmSummary['rehost']): string =>
  rehost?.currentCostPerHour == null
    ? '-'
    : `${isEstimate(rehost) ? '~' : ''}${hourly(rehost.currentCostPerHour)}`

const optionsTitle =
  'Cheaper machines that are large enough, with memory for the operating system (5%, at least 0.25 GiB)'

export function renderOptions(summaries: readonly VmSummary[]): string[] {
  const rows: string[][] = []
  const lines: string[] = []
  for (const { vm, rehost } of summaries) {
    if (rehost === undefined) continue
    const { options, reasons } = rehost
    // A service of an earlier version sends no notes.
    const notes: readonly string[] | undefined = rehost.notes
    for (const note of notes ?? []) lines.push(`${printable(vm)}: ${printable(note)}`)
    for (const { effort, offers } of options)
      for (const offer of effort === 'commit' ? cheapestPerYears(offers) : offers)
        rows.push([vm, effort, ...offerCells(offer), priceDay(offer), changesText(offer)])
    if (options.length === 0)
      lines.push(
        `${printable(vm)}: ${printable(reasons.join(' ')) || 'No comparable machine that is large enough costs less.'}`,
      )
  }
  const header = ['MACHINE', 'EFFORT', ...offerHeader, 'PRICE DATE', 'CHANGES']
  const offers = summaries.flatMap(({ rehost }) => rehost?.options.flatMap((option) => option.offers) ?? [])
  const table = renderTable(
    [header, ...rows],
    offerFigures.map((column) => column + 2),
  )
  return [
    ...(rows.length === 0 ? [] : ['', `${optionsTitle}:`, table]),
    ...(lines.length === 0 ? [] : ['', ...lines]),
    ...markLines(offers),
  ]
}

/** The cheapest offer of each duration of a commitment: one year or three years. */
function cheapestPerYears(offers: readonly ComparedCandidate[]): ComparedCandidate[] {
  return [...Map.groupBy(offers, ({ term }) => term?.slice(0, 2)).values()].map((ofTerm) =>
    ofTerm.reduce((a, b) => (b.cost_per_hour < a.cost_per_hour ? b : a)),
  )
}

function processTable(recommendations: readonly VmRecommendation[]): string {
  const header = [
    'MACHINE',
    'PROCESS',
    'GROUP',
    'CORES USED',
    'CORES NEEDED',
    'GIB USED',
    'GIB NEEDED',
    'SPENT',
    'CGROUP',
  ]
  const rows = recommendations.map(({ vm, process, processGroup, cpu, memory, currentSpend, cgroup }) => [
    vm,
    process,
    processGroup,
    amount(cpu.current.value),
    amount(cpu.recommended.value),
    amount(memory.current.value),
    amount(memory.recommended.value),
    dollars(currentSpend),
    shortened(cgroup),
  ])
  return renderTable([header, ...rows], [3, 4, 5, 6, 7])
}

const amount = (value: number): string => value.toFixed(3)

/** The end of a path is more specific than its start. */
const shortened = (path: string): string => (path.length <= 50 ? path : `\u2026${path.slice(-49)}`)
