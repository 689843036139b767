import type { CostChangeView } from '../../costs/report/schema.ts'
import { dollars } from '../../domain/money.ts'
import { printable } from './figures.ts'
import { renderTable } from './table.ts'

const parts = ['new', 'gone', 'count', 'size', 'mix', 'price', 'idle'] as const
type Amounts = Omit<CostChangeView['groups'][number], 'cluster' | 'namespace' | 'workload'>

/** Renders a line for each group with the parts of its change, then the sum and the largest causes. */
export function renderChange(change: CostChangeView): string {
  const { groups, causes } = change
  const hasWorkloads = groups.some((group) => group.workload !== undefined)
  const names = ['CLUSTER', 'NAMESPACE', ...(hasWorkloads ? ['WORKLOAD'] : [])]
  const head = [...names, 'BEFORE', 'COST', 'CHANGE', ...parts.map((part) => part.toUpperCase())]
  const amounts = (of: Amounts) => [
    ...[of.before_usd, of.cost_usd, of.change_usd].map(dollars),
    ...parts.map((part) => dollars(of[`${part}_usd`])),
  ]
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
  return [renderTable([head, ...lines, total], figures), '', period, ...largest].join('\n')
}
