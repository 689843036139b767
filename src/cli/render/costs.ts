import type { CostRowView } from '../../allocation/view-cost-row.ts'
import { dollars } from '../../domain/money.ts'
import { formatPercent, printable } from './figures.ts'
import { noContainers } from './nothing-found.ts'
import { renderTable } from './table.ts'

const groupNames = ['cluster', 'namespace', 'workload', 'node', 'value'] as const

/** Renders a line for each group and time step, then the sum. */
export function renderCosts(rows: readonly CostRowView[]): string {
  const [first] = rows
  if (first === undefined) return noContainers
  const names = groupNames.filter((name) => name in first)
  const hasIdle = first.idle_cost_usd !== undefined
  const hasGpus = rows.some((row) => row.gpu_cost_usd > 0)
  const heads = names.map((name) => (name === 'value' ? first.label! : name.toUpperCase()))
  const head = [
    ...heads,
    'FROM',
    'COST',
    ...(hasGpus ? ['GPUS'] : []),
    ...(hasIdle ? ['IDLE'] : []),
    'CPU USED',
    'MEMORY USED',
    'ESTIMATED',
  ]
  const lines = rows.map((row) => [
    ...names.map((name) => row[name] ?? '-'),
    row.start.slice(0, 16).replace('T', ' '),
    dollars(row.cost_usd),
    ...(hasGpus ? [dollars(row.gpu_cost_usd)] : []),
    ...(hasIdle ? [dollars(row.idle_cost_usd ?? 0)] : []),
    shareOf(row.used_core_hours, row.requested_core_hours),
    shareOf(row.used_gib_hours, row.requested_gib_hours),
    shareOf(row.estimated_cost_usd, row.cost_usd),
  ])
  const sum = (read: (row: CostRowView) => number): number => rows.reduce((all, row) => all + read(row), 0)
  const costUsd = sum((row) => row.cost_usd)
  const estimatedUsd = sum((row) => row.estimated_cost_usd + (row.estimated_idle_cost_usd ?? 0))
  const idle = hasIdle ? `, plus ${dollars(sum((row) => row.idle_cost_usd ?? 0))} idle` : ''
  const estimated =
    estimatedUsd > 0
      ? `\n${dollars(estimatedUsd)} of it is estimated at base rates, because the price of a node is not known.`
      : ''
  const unlabelled =
    first.label !== undefined && rows.every(({ value }) => value === null)
      ? `\nNo label ${printable(first.label)} was received: kube-state-metrics must report it (--metric-labels-allowlist=pods=[${printable(first.label)}]) and CHEAPSIDE_COST_LABELS of the service must contain it.`
      : ''
  const figures = head.map((_, column) => column).slice(names.length + 1)
  return `${renderTable([head, ...lines], figures)}\n\nTotal: ${dollars(costUsd)}${idle}. Used: share of the requests.${hasGpus ? ' The cost includes requested GPUs.' : ''}${estimated}${unlabelled}`
}

const shareOf = (part: number, whole: number): string =>
  whole > 0 ? formatPercent((100 * part) / whole) : '-'
