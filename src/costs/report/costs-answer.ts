import { setImmediate as nextTurn } from 'node:timers/promises'
import { convertAmounts, nameAmounts, nameColumns } from '../../domain/currency.ts'
import { hourMs } from '../../domain/time.ts'
import { Cache } from '../../runtime/cache.ts'
import type { CostGroups, CostRow } from '../allocation/cost-groups.ts'
import { viewCostRow } from '../allocation/view-cost-row.ts'
import { costsCsv } from './costs-csv.ts'
import { focusCsv } from './focus-csv.ts'
import { type CostsSelection, costCursor } from './query.ts'
import { type CostsDeps, reportCosts } from './report-costs.ts'
import type { CostRowView } from './schema.ts'

export type CostsAnswerDeps = CostsDeps & { readonly costsCache?: CostsCache }

export function costsAnswer(
  deps: CostsAnswerDeps,
  organisation: string,
  query: CostsSelection,
  format: CostFormat,
  signal: AbortSignal,
): Promise<CostsAnswer> {
  const make = async (): Promise<CountedAnswer> => {
    let containers = 0
    const groups = await reportCosts(deps, organisation, query, signal, () => containers++)
    const { measuredHours } = groups
    const { rows, ...next } = pageOf(groups, query)
    const pieces = piecesOf(linesOf(rows, query, format, organisation))
    return { pieces, ...next, measuredHours, containers }
  }
  return deps.costsCache?.answer({ organisation, query, format }, make) ?? make()
}

interface CostsPage {
  readonly rows: Iterable<CostRowView>
  readonly next?: string
}

/** A page is completed before it is written, because the link to the next page is sent before it. */
function pageOf(groups: CostGroups, query: CostsSelection): CostsPage {
  const { limit, after } = query
  const { currency } = query
  const viewOf = (row: CostRow) => {
    const view = viewCostRow(row, query)
    return currency === undefined ? view : convertAmounts(view, currency)
  }
  if (!Number.isFinite(limit)) return { rows: { [Symbol.iterator]: () => groups.rows(after).map(viewOf) } }
  const rows = groups
    .rows(after)
    .take(limit + 1)
    .toArray()
  const page = rows.slice(0, limit).map(viewOf)
  return rows.length <= limit ? { rows: page } : { rows: page, next: costCursor(rows[limit - 1]!.key) }
}

function* linesOf(
  rows: Iterable<CostRowView>,
  query: CostsSelection,
  format: CostFormat,
  organisation: string,
): Generator<string> {
  const { currency } = query
  const text = (row: CostRowView) => JSON.stringify(currency === undefined ? row : nameAmounts(row, currency))
  if (format === 'focus') yield* focusCsv(rows, organisation, currency?.code)
  else if (format === 'csv') {
    const lines = costsCsv(rows, query)
    const head: string = lines.next().value ?? ''
    yield currency === undefined ? head : nameColumns(head, currency)
    yield* lines
  } else if (format === 'ndjson') for (const row of rows) yield `${text(row)}\n`
  else {
    let before = '['
    for (const row of rows) {
      yield before + text(row)
      before = ','
    }
    yield before === '[' ? '[]' : ']'
  }
}

const pieceChars = 64 * 1024

async function* piecesOf(lines: Iterable<string>): AsyncGenerator<string> {
  let piece = ''
  for (const line of lines) {
    piece += line
    if (piece.length < pieceChars) continue
    yield piece
    await nextTurn()
    piece = ''
  }
  yield piece
}

/** About 500 times as long as computing it takes, so that computing takes little of the time. */
const ttlMsPerContainer = 100
/** Recent usage is still arriving. */
const maxTtlMs = hourMs
const defaults = { clockMs: () => performance.now(), maxChars: 16 << 20, minContainers: 500 }

/** Returns what identifies everything except recent usage that costs depend on. */
type CostsBasis = (organisation: string) => Promise<string>

interface CachedCosts extends Omit<CountedAnswer, 'pieces'> {
  readonly pieces: readonly string[]
  readonly chars: number
}

export class CostsCache {
  readonly #basis: CostsBasis
  readonly #recent: Cache<CachedCosts>
  readonly #options: typeof defaults

  constructor(basis: CostsBasis, options = defaults) {
    this.#basis = basis
    this.#options = options
    const { clockMs, maxChars } = options
    this.#recent = new Cache({ maxCount: 1000, maxSize: maxChars, sizeOf: ({ chars }) => chars, clockMs })
  }

  /** Returns the cached answer, or makes it. It is then kept if it covers many containers and is not too large. */
  async answer(asked: AskedCosts, make: () => Promise<CountedAnswer>): Promise<CostsAnswer> {
    const { organisation } = asked
    const key = JSON.stringify([organisation, await this.#basis(organisation), nameOf(asked)])
    const cached = this.#recent.get(key, ({ containers }) =>
      Math.min(maxTtlMs, containers * ttlMsPerContainer),
    )
    if (cached !== undefined) return { ...cached, pieces: again(cached.pieces) }
    const startedAt = this.#options.clockMs()
    const made = await make()
    return { ...made, pieces: this.#keeping(key, made, startedAt) }
  }

  async *#keeping(key: string, made: CountedAnswer, startedAt: number): AsyncGenerator<string> {
    const { maxChars, minContainers } = this.#options
    const pieces: string[] = []
    let chars = 0
    for await (const piece of made.pieces) {
      chars += piece.length
      if (chars <= maxChars / 4) pieces.push(piece)
      yield piece
    }
    if (chars <= maxChars / 4 && made.containers >= minContainers)
      this.#recent.set(key, { ...made, pieces, chars }, startedAt)
  }
}

export type CostFormat = 'json' | 'ndjson' | 'csv' | 'focus'

export interface CostsAnswer {
  readonly pieces: AsyncGenerator<string>
  readonly next?: string
  readonly measuredHours: number
}

interface AskedCosts {
  readonly organisation: string
  readonly query: CostsSelection
  readonly format: CostFormat
}

export type CountedAnswer = CostsAnswer & { readonly containers: number }

function nameOf({ query, format }: AskedCosts): string {
  const { startMs, endMs, steps, keys, sharing, off, cluster, namespace, limit, after, currency } = query
  return JSON.stringify([
    ...[format, startMs, endMs, steps.name, keys, sharing, off],
    ...[cluster ?? null, namespace ?? null, limit, after ?? null, currency ?? null],
  ])
}

async function* again(pieces: readonly string[]): AsyncGenerator<string> {
  yield* pieces
}
