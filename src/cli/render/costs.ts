import { groupKinds } from '../../costs/allocation/grouping.ts'
import { roundToTotal } from '../../costs/allocation/round-to-total.ts'
import { isPartly, type Measured, measuredText } from '../../costs/report/measured.ts'
import type { CostChangeView, CostRowView } from '../../costs/report/schema.ts'
import { dollars, hoursPerMonth } from '../../domain/money.ts'
import { plural } from '../../domain/text.ts'
import { formatPercent, noContainers, printable } from './figures.ts'
import { renderTable } from './table.ts'

const groupNames = [...groupKinds, 'value'] as const

export function renderCosts(rows: readonly CostRowView[], measured?: Measured): string {
  const [first] = rows
  if (first === undefined) return noContainers
  const names = groupNames.filter((name) => name in first)
  const hasIdle = rows.some(({ cost_type }) => cost_type === 'idle')
  const costs = roundToTotal(rows.map((row) => row.cost_usd))
  const hasShared = first.shared_cost_usd !== undefined
  const hasGpus = rows.some((row) => row.gpu_cost_usd > 0)
  const hasTimes = rows.some(({ start }) => start.slice(11, 16) !== '00:00')
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
    row.start.slice(0, hasTimes ? 16 : 10).replace('T', ' '),
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
  const unpriced = sum((row) => row.unpriced_hours)
  const withoutPrice =
    unpriced > 0
      ? `\nNot in it: ${plural(Math.round(unpriced), 'hour')} of load balancers and volumes without a price (see cheapside sharing set --load-balancer-price, and cheapside volumes).`
      : ''
  const networkUsd = sum((row) => row.network_at_most_usd)
  const network =
    networkUsd > 0
      ? `\nNot in it: what pods sent, at most ${dollars(networkUsd)} if all of it went to the internet (cheapside sharing set --internet-percent counts it).`
      : ''
  const partly =
    measured !== undefined && isPartly(measured) ? `\nThere is usage for only ${measuredText(measured)}.` : ''
  const isAnnotation = first.label?.startsWith('annotation:')
  const [kind, name = ''] = isAnnotation ? ['annotation', first.label!.slice(11)] : ['label', first.label]
  const unlabelled =
    first.label !== undefined && rows.every(({ value }) => value === null)
      ? `\nNo ${kind} ${printable(name)} was received: kube-state-metrics must report it (--metric-${kind}s-allowlist=pods=[${printable(name)}]) and CHEAPSIDE_COST_LABELS of the service must contain it.`
      : ''
  const figures = head.map((_, column) => column).slice(head.indexOf('COST'))
  return `${renderTable([head, ...lines], figures)}\n\nTotal: ${dollars(costUsd)}${idle}. Used: share of the requests.${hasGpus ? ' The cost includes requested GPUs.' : ''}${partly}${estimated}${withoutPrice}${network}${unlabelled}`
}

const shareOf = (part: number, whole: number): string =>
  whole > 0 ? formatPercent((100 * part) / whole) : '-'

const parts = ['hours', 'new', 'gone', 'count', 'size', 'mix', 'price', 'idle', 'shared'] as const
type Amounts = Omit<CostChangeView['groups'][number], 'cluster' | 'namespace' | 'workload'>

type Column = readonly [head: string, read: (of: Amounts) => number]

const costColumns: readonly Column[] = [
  ['BEFORE', (of) => of.before_usd],
  ['COST', (of) => of.cost_usd],
]

const changeColumns: readonly Column[] = [
  ...costColumns,
  ['CHANGE', (of) => of.change_usd],
  ...parts.map((part): Column => [part.toUpperCase(), (of) => of[`${part}_usd`]]),
]

/** What periods cost that were not measured alike, and the same at the measured rates. */
function rateColumns({ before_measured_hours: was, measured_hours: is }: CostChangeView): readonly Column[] {
  if (Math.min(was, is) < 1) return costColumns
  const before = (of: Amounts): number => (of.before_usd / was) * hoursPerMonth
  const now = (of: Amounts): number => (of.cost_usd / is) * hoursPerMonth
  return [
    ...costColumns,
    ['PER MONTH BEFORE', before],
    ['PER MONTH', now],
    ['DIFFERENCE', (of) => now(of) - before(of)],
  ]
}

export function renderChange(change: CostChangeView): string {
  const { groups, causes } = change
  const hasWorkloads = groups.some((group) => group.workload !== undefined)
  const names = ['CLUSTER', 'NAMESPACE', ...(hasWorkloads ? ['WORKLOAD'] : [])]
  const isShared = groups.some((group) => group.shared_usd !== 0)
  const changed = changeColumns.filter(([name]) => name !== 'SHARED' || isShared)
  const columns = change.note === null ? changed : rateColumns(change)
  const head = [...names, ...columns.map(([name]) => name)]
  const amounts = (of: Amounts) => columns.map(([, read]) => dollars(read(of)))
  const lines = groups.map((group) => [
    ...[group.cluster, group.namespace, ...(hasWorkloads ? [group.workload] : [])].map((name) =>
      printable(name ?? '-'),
    ),
    ...amounts(group),
  ])
  const total = ['TOTAL', ...names.slice(1).map(() => ''), ...amounts(change)]
  const figures = head.map((_, column) => column).slice(names.length)
  const day = (time: string) => time.slice(0, 16).replace('T', ' ')
  const period = `${day(change.start)} to ${day(change.end)} (${change.measured_hours} h measured), compared with ${day(change.before_start)} to ${day(change.before_end)} (${change.before_measured_hours} h measured), UTC.`
  const sentences = causes.map(({ text }) => `- ${printable(text)}`)
  const largest = sentences.length === 0 ? [] : ['', 'Largest causes:', ...sentences]
  const note = change.note === null ? [] : [change.note]
  return [renderTable([head, ...lines, total], figures), '', period, ...note, ...largest].join('\n')
}
