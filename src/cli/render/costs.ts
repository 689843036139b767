import { groupKinds } from '../../costs/allocation/grouping.ts'
import { roundToTotal } from '../../costs/allocation/round-to-total.ts'
import { isPartly, type Measured, measuredText } from '../../costs/report/measured.ts'
import type { CostRowView } from '../../costs/report/schema.ts'
import { dollars } from '../../domain/money.ts'
import { formatPercent, printable } from './figures.ts'
import { noContainers } from './nothing-found.ts'
import { renderTable } from './table.ts'

const groupNames = [...groupKinds, 'value'] as const

/** Renders a line for each group and time step, then the sum. */
export function renderCosts(rows: readonly CostRowView[], measured?: Measured): string {
  const [first] = rows
  if (first === undefined) return noContainers
  const names = groupNames.filter((name) => name in first)
  const hasIdle = rows.some(({ cost_type }) => cost_type === 'idle')
  const costs = roundToTotal(rows.map((row) => row.cost_usd))
  const hasShared = first.shared_cost_usd !== undefined
  const hasGpus = rows.some((row) => row.gpu_cost_usd > 0)
  const heads = names.map((name) => (name === 'value' ? first.label! : name.toUpperCase()))
  const head = [
    ...heads,
    'FROM',
    ...(hasIdle ? ['TYPE'] : []),
    'COST',
    ...(hasGpus ? ['GPUS'] : []),
    ...(hasShared ? ['SHARED'] : []),
    'CPU USED',
    'MEMORY USED',
    'ESTIMATED',
  ]
  const lines = rows.map((row, index) => [
    ...names.map((name) => row[name] ?? '-'),
    row.start.slice(0, 16).replace('T', ' '),
    ...(hasIdle ? [row.cost_type] : []),
    dollars(costs[index]!),
    ...(hasGpus ? [dollars(row.gpu_cost_usd)] : []),
    ...(hasShared ? [dollars(row.shared_cost_usd ?? 0)] : []),
    shareOf(row.used_core_hours, row.requested_core_hours),
    shareOf(row.used_gib_hours, row.requested_gib_hours),
    shareOf(row.estimated_cost_usd, row.cost_usd),
  ])
  const sum = (read: (row: CostRowView) => number): number => rows.reduce((all, row) => all + read(row), 0)
  const costUsd = sum((row) => row.cost_usd)
  const estimatedUsd = sum((row) => row.estimated_cost_usd)
  const idleUsd = sum((row) => (row.cost_type === 'idle' ? row.cost_usd : 0))
  const idle = hasIdle ? `, of it ${dollars(idleUsd)} idle` : ''
  const estimated =
    estimatedUsd > 0
      ? `\n${dollars(estimatedUsd)} of it is estimated at base rates, because the price of a node is not known.`
      : ''
  const partly =
    measured !== undefined && isPartly(measured) ? `\nThere is usage for only ${measuredText(measured)}.` : ''
  const unlabelled =
    first.label !== undefined && rows.every(({ value }) => value === null)
      ? `\nNo label ${printable(first.label)} was received: kube-state-metrics must report it (--metric-labels-allowlist=pods=[${printable(first.label)}]) and CHEAPSIDE_COST_LABELS of the service must contain it.`
      : ''
  const figures = head.map((_, column) => column).slice(head.indexOf('COST'))
  return `${renderTable([head, ...lines], figures)}\n\nTotal: ${dollars(costUsd)}${idle}. Used: share of the requests.${hasGpus ? ' The cost includes requested GPUs.' : ''}${partly}${estimated}${unlabelled}`
}

const shareOf = (part: number, whole: number): string =>
  whole > 0 ? formatPercent((100 * part) / whole) : '-'
