import type { RehostTarget } from '../../operations/recommend-machines/rehost.ts'
import type { VmSummary } from '../../operations/recommend-machines/summarise-machines.ts'
import type { VmRecommendation } from '../../operations/recommend-machines/view-process.ts'
import { difference, dollars, formatPercent, plural, printable } from './figures.ts'
import { renderTable } from './table.ts'

const shownByDefault = 20

/** Machines, then their processes: the dearest first. */
export function renderVms(
  summaries: readonly VmSummary[],
  recommendations: readonly VmRecommendation[],
  all = false,
): string {
  if (summaries.length === 0)
    return 'No machine reported usage in this period. Run `cheapside agent` on a machine to measure it; a running service measures its own host.'
  const dearest = [...recommendations].sort((a, b) => b.currentSpend - a.currentSpend)
  const shown = all ? dearest : dearest.slice(0, shownByDefault)
  const left = dearest.length - shown.length
  return [
    machineTable(summaries),
    ...summaries.flatMap(({ vm, rehost }) =>
      (rehost?.reasons ?? []).map((reason) => `${printable(vm)}: ${reason}`),
    ),
    '',
    processTable(shown),
    ...(left > 0 ? [`(${plural(left, 'more process', 'more processes')}; --all shows them)`] : []),
  ].join('\n')
}

function machineTable(summaries: readonly VmSummary[]): string {
  const header = ['MACHINE', 'CORES', 'NEEDS', 'FILLED', 'GIB', 'NEEDS', 'FILLED', 'CHEAPEST HOME', 'A MONTH']
  const rows = summaries.map((summary) => [
    `${printable(summary.vm)}${summary.idle ? ' (idle)' : ''}`,
    amount(summary.totalCurrentCPU),
    amount(summary.totalRecommendedCPU),
    formatPercent(summary.expectedUtilisationCPU),
    amount(summary.totalCurrentRAM),
    amount(summary.totalRecommendedRAM),
    formatPercent(summary.expectedUtilisationRAM),
    homeText(summary.rehost?.anywhere),
    monthText(summary.rehost?.anywhere),
  ])
  return renderTable([header, ...rows], [1, 2, 3, 4, 5, 6, 8])
}

const homeText = (home: RehostTarget | null | undefined): string =>
  home ? `${home.instanceType} of ${home.provider} in ${home.region}` : '-'

/** What moving changes on the bill: -$3.50 saves. */
const monthText = (home: RehostTarget | null | undefined): string =>
  home?.savingsPerMonth == null ? '-' : difference(-home.savingsPerMonth)

function processTable(recommendations: readonly VmRecommendation[]): string {
  const header = ['MACHINE', 'PROCESS', 'GROUP', 'CORES', 'NEEDS', 'GIB', 'NEEDS', 'SPENT', 'CGROUP']
  const rows = recommendations.map(({ vm, process, processGroup, cpu, memory, currentSpend, cgroup }) => [
    printable(vm),
    printable(process),
    processGroup,
    amount(cpu.current.value),
    amount(cpu.recommended.value),
    amount(memory.current.value),
    amount(memory.recommended.value),
    dollars(currentSpend),
    shortened(printable(cgroup)),
  ])
  return renderTable([header, ...rows], [3, 4, 5, 6, 7])
}

const amount = (value: number): string => value.toFixed(3)

/** The end of a path is more specific than its start. */
const shortened = (path: string): string => (path.length <= 50 ? path : `\u2026${path.slice(-49)}`)
