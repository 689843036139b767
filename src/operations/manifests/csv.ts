import { round } from '../../domain/money.ts'
import { type PricedContainer, usdOf } from '../recommend-sizes/sized-container.ts'
import type { SizedNamespace } from '../recommend-sizes/sized-namespace.ts'

type Column = readonly [
  name: string,
  read: (container: PricedContainer, of: SizedNamespace) => string | number | null | undefined,
]

const columns: readonly Column[] = [
  ['cluster', (_, of) => of.cluster],
  ['namespace', (_, of) => of.namespace],
  ['kind', ({ workload }) => workload.slice(0, workload.indexOf('/'))],
  ['workload', ({ workload }) => workload.slice(workload.indexOf('/') + 1)],
  ['container', ({ name }) => name],
  ['replicas', ({ replicas }) => replicas.atEnd],
  ['cpu_request_cores', ({ now }) => now.cpuRequest],
  ['cpu_request_recommended_cores', ({ advised, recommended }) => advised.cpu && recommended.cpuRequest],
  ['cpu_limit_cores', ({ now }) => now.cpuLimit],
  ['cpu_limit_recommended_cores', ({ advised, recommended }) => advised.cpu && recommended.cpuLimit],
  ['memory_request_gib', ({ now }) => now.memoryRequest],
  [
    'memory_request_recommended_gib',
    ({ advised, recommended }) => advised.memory && recommended.memoryRequest,
  ],
  ['memory_limit_gib', ({ now }) => now.memoryLimit],
  ['memory_limit_recommended_gib', ({ advised, recommended }) => advised.memory && recommended.memoryLimit],
  ['current_spend_usd', ({ spendNow }) => usdOf(spendNow)],
  ['new_spend_usd', ({ spendThen }) => usdOf(spendThen)],
  ['confidence', ({ confidence }) => confidence],
  ['reasons', ({ reasons }) => reasons.join(' ')],
]

/** RFC 4180; a line per container. */
export function writeCsv(sized: SizedNamespace): string {
  const rows = sized.containers.map((container) => columns.map(([, read]) => cell(read(container, sized))))
  return [columns.map(([name]) => name), ...rows].map((row) => `${row.join(',')}\r\n`).join('')
}

function cell(value: string | number | null | undefined): string {
  if (value === undefined || value === null) return ''
  if (typeof value === 'number') return String(round(value, 6))
  // A spreadsheet would work out what begins like a formula.
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
