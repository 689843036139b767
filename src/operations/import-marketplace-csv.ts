import { type Info, parse } from 'csv-parse/sync'
import { naturalKeyOf } from '../domain/marketplace.ts'
import { parseEntry, wrongWithName } from './marketplace-entry.ts'
import { type MarketplaceDeps, mostEntriesPerCall, wrongProviderName } from './register-marketplace.ts'

/** What a file asks to be registered, call by call, and what is wrong with it, line by line. */
export interface CsvImport {
  readonly calls: readonly { readonly name: string; readonly entries: readonly Record<string, unknown>[] }[]
  /** Lines with prices, good and bad. */
  readonly lines: number
  readonly bad: readonly BadLine[]
  /** Columns that no entry has. */
  readonly ignoredColumns: readonly string[]
}

export interface BadLine {
  readonly line: number
  /** '' where the whole line is meant. */
  readonly column: string
  readonly message: string
}

export interface CsvOptions {
  /** The provider that all lines are registered under; without it each line's `provider` says so. */
  readonly name?: string
  readonly findProvider: MarketplaceDeps['findProvider']
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

/** The columns are named by the first line, as the members of an entry are; a line that is bad is in no call. */
export function readMarketplaceCsv(text: string, options: CsvOptions): CsvImport {
  const { records, broken } = recordsOf(text)
  const [header, ...rows] = records
  const columns = (header?.cells ?? []).map((name) => name.trim().toLowerCase())
  const bad = broken.length > 0 ? broken : wrongWithHeader(columns, options)
  const ignoredColumns = columns.filter((name) => ![...requiredColumns, ...optionalColumns].includes(name))
  if (bad.length > 0) return { calls: [], lines: rows.length, bad, ignoredColumns }

  const byName = new Map<string, Record<string, unknown>[]>()
  const seen = new Map<string, number>()
  for (const { cells, line } of rows) {
    const badBefore = bad.length
    const complain = (column: string, message: string) => bad.push({ line, column, message })
    if (cells.length !== columns.length) {
      complain('', `has ${cells.length} fields, the header has ${columns.length}`)
      continue
    }
    const given = memberOf(columns, cells)
    const name = options.name ?? String(given.provider ?? '')
    const wrong = wrongWithName(name) ?? wrongProviderName(name, options.findProvider)
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
  return { calls, lines: rows.length, bad: bad.sort((a, b) => a.line - b.line), ignoredColumns }
}

interface CsvRecord {
  readonly cells: readonly string[]
  readonly line: number
}

function recordsOf(text: string): { records: CsvRecord[]; broken: BadLine[] } {
  const firstLine = text.slice(0, text.search(/[\r\n]|$/))
  const delimiter = [',', ';', '\t'].find((mark) => firstLine.includes(mark)) ?? ','
  const options = {
    delimiter,
    bom: true,
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
  } as const
  try {
    let after = 0
    const found = parse(text, options) as unknown as { record: string[]; info: Info }[]
    const records = found.map(({ record, info }) => {
      // A quoted field may span lines: a record begins where its last line less its line breaks is.
      const line = Math.max(after + 1, info.lines - record.join('').split('\n').length + 1)
      after = info.lines
      return { cells: record, line }
    })
    return { records, broken: [] }
  } catch (error) {
    const { message, lines } = error as Error & { lines?: number }
    return { records: [], broken: [{ line: lines ?? 1, column: '', message }] }
  }
}

function wrongWithHeader(columns: readonly string[], { name }: CsvOptions): BadLine[] {
  const required = name === undefined ? [...requiredColumns, 'provider'] : requiredColumns
  const missing = required.filter((column) => !columns.includes(column))
  const twice = columns.filter((column, i) => columns.indexOf(column) < i)
  return [
    ...missing.map((column) => ({
      line: 1,
      column,
      message: 'is missing in the first line, which names the columns',
    })),
    ...twice.map((column) => ({ line: 1, column, message: 'is named twice in the first line' })),
  ]
}

/** An empty field is an absent member. */
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
  const calls = Math.ceil(entries.length / mostEntriesPerCall)
  return Array.from({ length: calls }, (_, i) => ({
    name,
    entries: entries.slice(i * mostEntriesPerCall, (i + 1) * mostEntriesPerCall),
  }))
}
