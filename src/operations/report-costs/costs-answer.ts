import { promisify } from 'node:util'
import { deserialize, serialize } from 'node:v8'
import { zstdCompress, zstdDecompress } from 'node:zlib'
import type { CostRow } from '../../allocation/cost-groups.ts'
import {
  type CostGrouping,
  type CostRowView,
  costRowMembers,
  viewCostRow,
} from '../../allocation/view-cost-row.ts'
import { csvCell } from '../../domain/text.ts'
import { hourMs } from '../../domain/time.ts'
import {
  type AnswerArchive,
  AnswerCache,
  type AnswerCodec,
  type AnswerKey,
} from '../../runtime/answer-cache.ts'
import { type CostsSelection, costCursor } from './query.ts'
import { type CostsDeps, reportCosts } from './report-costs.ts'

export interface CostsAnswerDeps extends CostsDeps {
  /** Recently computed answers. Without it, no answer is cached. */
  readonly costsCache?: CostsCache
}

/** Returns the cached answer, or computes it. */
export function costsAnswer(
  deps: CostsAnswerDeps,
  organisation: string,
  query: CostsSelection,
  format: CostFormat,
  signal: AbortSignal,
): Promise<CostsAnswer> {
  const make = async (): Promise<CountedAnswer> => {
    let containers = 0
    const rows = reportCosts(deps, organisation, query, signal, () => containers++)
    return { ...(await madeOf(rows, query, format)), containers: () => containers }
  }
  return deps.costsCache?.answer({ organisation, query, format }, make) ?? make()
}

/**
 * A page is completed before it is written, because the link to the next page is sent before it. Without pages, rows
 * are written as they come.
 */
async function madeOf(
  rows: AsyncIterable<CostRow>,
  query: CostsSelection,
  format: CostFormat,
): Promise<CostsAnswer> {
  if (!Number.isFinite(query.limit)) return { pieces: writeCosts(viewCosts(rows, query), query, format) }
  const page: CostRowView[] = []
  let last: CostRow['key'] | undefined
  for await (const row of rows) {
    if (page.length === query.limit)
      return { pieces: writeCosts(page, query, format), next: costCursor(last!) }
    // Views are kept instead of rows, because a row holds all steps of its group.
    page.push(viewCostRow(row, query))
    last = row.key
  }
  return { pieces: writeCosts(page, query, format) }
}

/** Shows rows to callers as they come. */
export async function* viewCosts(
  rows: AsyncIterable<CostRow>,
  query: CostsSelection,
): AsyncGenerator<CostRowView> {
  for await (const row of rows) yield viewCostRow(row, query)
}

const pieceChars = 64 * 1024

async function* writeCosts(
  views: AsyncIterable<CostRowView> | Iterable<CostRowView>,
  query: CostsSelection,
  format: CostFormat,
): AsyncGenerator<string> {
  let piece = format === 'json' ? '[' : format === 'csv' ? costsCsvHead(query) : ''
  let isFirst = true
  for await (const view of views) {
    if (format === 'csv') piece += costsCsvLine(view)
    else if (format === 'ndjson') piece += `${JSON.stringify(view)}\n`
    else piece += (isFirst ? '' : ',') + JSON.stringify(view)
    isFirst = false
    if (piece.length < pieceChars) continue
    yield piece
    piece = ''
  }
  yield format === 'json' ? `${piece}]` : piece
}

/** CSV of RFC 4180. The head is written even if no row follows. */
export const costsCsvHead = (query: CostGrouping): string => `${costRowMembers(query).join(',')}\r\n`
export const costsCsvLine = (view: CostRowView): string => `${Object.values(view).map(csvCell).join(',')}\r\n`

const ttlMsPerContainer = 100
const maxKept = 1000
const defaults = { clockMs: () => performance.now(), maxChars: 16 << 20, minContainers: 500 }

/** Returns what identifies everything except recent usage that costs depend on. */
type CostsBasis = (organisation: string) => Promise<string>

interface CachedCosts {
  readonly pieces: readonly string[]
  readonly next: string | undefined
}

/** Recently computed answers about the costs of many containers. */
export class CostsCache {
  readonly #basis: CostsBasis
  readonly #recent: AnswerCache<CachedCosts>

  constructor(
    basis: CostsBasis,
    archive?: AnswerArchive<CachedCosts>,
    { clockMs, maxChars, minContainers } = defaults,
  ) {
    this.#basis = basis
    this.#recent = new AnswerCache({
      clockMs,
      maxSize: maxChars,
      maxCount: maxKept,
      archive,
      minItems: minContainers,
      ttlMsPerItem: ttlMsPerContainer,
    })
  }

  /** Whether nothing would be gained by computing the answer again now. */
  async isSettled(asked: AskedCosts): Promise<boolean> {
    return this.#recent.isSettled(await this.#keyOf(asked))
  }

  /** Returns the cached answer, or makes it. It is then kept if it covers many containers and is not too large. */
  async answer(asked: AskedCosts, make: () => Promise<CountedAnswer>): Promise<CostsAnswer> {
    const key = await this.#keyOf(asked)
    const cached = await this.#recent.find(key)
    if (cached !== undefined)
      return { pieces: again(cached.pieces), ...(cached.next === undefined ? {} : { next: cached.next }) }
    const keeping = this.#recent.begin(key)
    const made = await make()
    return { ...made, pieces: cachingPieces(made, keeping) }
  }

  async #keyOf(asked: AskedCosts): Promise<AnswerKey> {
    const { organisation } = asked
    const basis = await this.#basis(organisation)
    return { organisation, name: nameOf(asked), basis, isTransient: isTransient(asked.query) }
  }
}

async function* cachingPieces(
  { pieces, next, containers }: CountedAnswer,
  keeping: ReturnType<AnswerCache<CachedCosts>['begin']>,
): AsyncGenerator<string> {
  const whole: string[] = []
  let chars = 0
  for await (const piece of pieces) {
    chars += piece.length
    if (keeping.fits(chars)) whole.push(piece)
    yield piece
  }
  void keeping.finish({ pieces: whole, next }, chars, containers())
}

export type CostFormat = 'json' | 'ndjson' | 'csv'

/** Text in pieces that are made as they are consumed. */
export interface CostsAnswer {
  readonly pieces: AsyncGenerator<string>
  /** Cursor of the next page; absent on the last one. */
  readonly next?: string
}

interface AskedCosts {
  readonly organisation: string
  readonly query: CostsSelection
  readonly format: CostFormat
}

export interface CountedAnswer extends CostsAnswer {
  /** Number of containers that the answer covers. It is known when all pieces are made. */
  containers(): number
}

function nameOf({ query, format }: AskedCosts): string {
  const { startMs, endMs, steps, groupBy, cluster, namespace, limit, after } = query
  return JSON.stringify([
    ...[format, startMs, endMs, steps.name, groupBy],
    ...[cluster ?? null, namespace ?? null, limit, after ?? null],
  ])
}

/** Whether the answer is not archived: its window is not made of whole hours, or it is one page of several. */
const isTransient = ({ startMs, endMs, limit, after }: CostsSelection): boolean =>
  startMs % hourMs !== 0 || endMs % hourMs !== 0 || Number.isFinite(limit) || after !== undefined

export const costsCodec: AnswerCodec<CachedCosts> = {
  format: 'costs 2',
  encode: (costs) => promisify(zstdCompress)(serialize(costs)),
  async decode(bytes) {
    const answer: CachedCosts = deserialize(await promisify(zstdDecompress)(bytes))
    return { answer, size: answer.pieces.reduce((sum, { length }) => sum + length, 0) }
  },
}

async function* again(pieces: readonly string[]): AsyncGenerator<string> {
  yield* pieces
}
