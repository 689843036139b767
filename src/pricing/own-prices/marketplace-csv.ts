import { naturalKeyOf } from '../../domain/marketplace.ts'
import type { PricingDeps } from '../market.ts'
import { type CsvRecord, csvRecords } from './csv-records.ts'
import { maxEntriesPerCall, nameError, parseEntry } from './marketplace-entry.ts'
import { providerNameError } from './provider-name.ts'

/** What a file asks to register, call by call, and what is wrong with it, line by line. */
export interface CsvImport {
  readonly calls: readonly { readonly name: string; readonly entries: readonly Record<string, unknown>[] }[]
  readonly lines: number
  readonly bad: readonly BadLine[]
  readonly headerIsBad: boolean
  readonly ignoredColumns: readonly string[]
}

interface BadLine {
  readonly line: number
  /** '' if the error concerns the whole line. */
  readonly column: string
  readonly message: string
}

interface CsvOptions {
  /** The provider under which all lines are registered. Without it, each line's `provider` column names one. */
  readonly name?: string
  readonly findProvider: PricingDeps['findProvider']
}

const numberColumns = ['cost_per_hour', 'cpu_cores', 'ram_gb']
const requiredColumns = [...numberColumns, 'instance_type', 'region']
const optionalColumns = [
  'usage_type',
  'provider',
  'service',
  'operating_system',
  'availability_zone',
  'raw_pricing_data',
]

/** The first line names the columns, which are the members of an entry. Bad lines are not part of any call. */
export function readMarketplaceCsv(text: string, options: CsvOptions): CsvImport {
  const [header, ...rows] = csvRecords(text)
  const columns = (header?.cells ?? []).map((name) => name.trim().toLowerCase())
  const ignoredColumns = columns.filter((name) => ![...requiredColumns, ...optionalColumns].includes(name))
  const bad = wrongWithHeader(header, columns, options)
  if (bad.length > 0) return { calls: [], lines: rows.length, bad, headerIsBad: true, ignoredColumns }

  const byName = new Map<string, Record<string, unknown>[]>()
  const seen = new Map<string, number>()
  for (const { cells, line, wrong: unreadable } of rows) {
    const badBefore = bad.length
    const complain = (column: string, message: string) => bad.push({ line, column, message })
    if (unreadable !== undefined) {
      complain('', unreadable)
      continue
    }
    if (cells.length !== columns.length) {
      complain('', `has ${cells.length} fields, the header has ${columns.length}`)
      continue
    }
    const given = memberOf(columns, cells)
    const name = options.name ?? String(given.provider ?? '')
    const wrong = nameError(name) ?? providerNameError(name, options.findProvider)
    if (wrong !== undefined) complain('provider', wrong)
    const entry = parseEntry(given, name, complain)
    if (entry === undefined || bad.length > badBefore) continue
    const key = naturalKeyOf(entry)
    const first = seen.get(key)
    if (first !== undefined) complain('', `is for the same machine, place and usage type as line ${first}`)
    else if (byName.has(name)) byName.get(name)!.push(given)
    else byName.set(name, [given])
    seen.set(key, first ?? line)
  }
  const calls = [...byName].flatMap(([name, entries]) => inCalls(name, entries))
  return { calls, lines: rows.length, bad, headerIsBad: false, ignoredColumns }
}

function wrongWithHeader(header: CsvRecord | undefined, columns: readonly string[], { name }: CsvOptions) {
  const line = header?.line ?? 1
  if (header?.wrong !== undefined) return [{ line, column: '', message: header.wrong }]
  const required = name === undefined ? [...requiredColumns, 'provider'] : requiredColumns
  const missing = required.filter((column) => !columns.includes(column))
  const seen = new Set<string>()
  const twice = columns.filter((column) => seen.size === seen.add(column).size)
  return [
    ...missing.map((column) => ({
      line,
      column,
      message: 'is missing from the header line',
    })),
    ...twice.map((column) => ({ line, column, message: 'appears twice in the header line' })),
  ]
}

function memberOf(columns: readonly string[], cells: readonly string[]): Record<string, unknown> {
  const members: Record<string, unknown> = Object.create(null)
  columns.forEach((column, i) => {
    const cell = cells[i]!.trim()
    if (cell === '') return
    if (numberColumns.includes(column)) members[column] = numberIn(cell)
    else if (column === 'raw_pricing_data') members[column] = jsonIn(cell)
    else if (optionalColumns.includes(column) || requiredColumns.includes(column)) members[column] = cell
  })
  return members
}

const numberIn = (cell: string): number =>
  /^[+-]?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(cell) ? Number(cell) : Number.NaN

function jsonIn(cell: string): unknown {
  try {
    return JSON.parse(cell)
  } catch {
    return cell
  }
}

function inCalls(name: string, entries: readonly Record<string, unknown>[]): CsvImport['calls'] {
  const calls = Math.ceil(entries.length / maxEntriesPerCall)
  return Array.from({ length: calls }, (_, i) => ({
    name,
    entries: entries.slice(i * maxEntriesPerCall, (i + 1) * maxEntriesPerCall),
  }))
}
