import { type Spend, usdOf } from '../../costs/allocation/spend.ts'
import { hoursPerMonth } from '../../domain/money.ts'
import { kindOfWorkload, type NamespaceRef, nameOfWorkload } from '../../domain/subject.ts'
import { csvCell } from '../../domain/text.ts'
import type { PricedContainer } from '../containers/namespace-draft.ts'

type Column = readonly [
  name: string,
  read: (container: PricedContainer, of: NamespaceRef) => string | number | null | undefined,
]

const columns: readonly Column[] = [
  ['cluster', (_, of) => of.cluster],
  ['namespace', (_, of) => of.namespace],
  ['kind', ({ workload }) => kindOfWorkload(workload)],
  ['workload', ({ workload }) => nameOfWorkload(workload)],
  ['container', ({ name }) => name],
  ['replicas', ({ replicas }) => replicas.atEnd],
  ['cpu_request_cores', ({ current }) => current.cpuRequest],
  ['cpu_request_recommended_cores', ({ advised, recommended }) => advised.cpu && recommended.cpuRequest],
  ['cpu_limit_cores', ({ current }) => current.cpuLimit],
  ['cpu_limit_recommended_cores', ({ advised, recommended }) => advised.cpu && recommended.cpuLimit],
  ['memory_request_gib', ({ current }) => current.memoryRequest],
  [
    'memory_request_recommended_gib',
    ({ advised, recommended }) => advised.memory && recommended.memoryRequest,
  ],
  ['memory_limit_gib', ({ current }) => current.memoryLimit],
  ['memory_limit_recommended_gib', ({ advised, recommended }) => advised.memory && recommended.memoryLimit],
  ['current_spend_usd', ({ currentSpend }) => usdOf(currentSpend)],
]

const lastColumns: readonly Column[] = [
  ['confidence', ({ confidence }) => confidence],
  ['reasons', ({ reasons }) => reasons.join(' ')],
]

/** The spend columns above cover the window; these are scaled from the measured hours to 730 hours. */
const monthColumns = ['measured_hours', 'current_spend_per_month_usd', 'new_spend_per_month_usd']

/** CSV of RFC 4180 with one line per container. */
export const csvHead: string = `${[...columns.map(([name]) => name), 'new_spend_usd', ...lastColumns.map(([name]) => name), ...monthColumns].join(',')}\r\n`

/** A container's columns before and after the new spend, and its current spend. */
export type CsvParts = readonly [before: string, after: string, currentSpendUsd: number]

export const csvParts = (container: PricedContainer, place: NamespaceRef): CsvParts => {
  const cells = (of: readonly Column[]) => of.map(([, read]) => csvCell(read(container, place))).join(',')
  return [cells(columns), cells(lastColumns), usdOf(container.currentSpend)]
}

export function csvLine(
  [before, after, currentUsd]: CsvParts,
  newSpend: Spend,
  measuredHours: number,
): string {
  const perMonth = (usd: number) => csvCell((usd * hoursPerMonth) / measuredHours)
  const thenUsd = usdOf(newSpend)
  const months = [csvCell(measuredHours), perMonth(currentUsd), perMonth(thenUsd)]
  return `${[before, csvCell(thenUsd), after, ...months].join(',')}\r\n`
}
