import type { CostRow } from '../../allocation/cost-groups.ts'
import { csvCell } from '../../domain/text.ts'
import { type CostRowView, costRowMembers, viewCostRow } from './cost-row.ts'
import type { CostFormat, CostsAnswer, CountedAnswer } from './kept-costs.ts'
import { type CostsSelection, costCursor } from './query.ts'
import { type CostsDeps, reportCosts } from './report-costs.ts'

export function costsAnswer(
  deps: CostsDeps,
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
  return deps.keptCosts?.answer({ organisation, query, format }, make) ?? make()
}

/** A page is complete before it is written, since its link comes before it; all rows without pages are written as they come. */
async function madeOf(
  rows: AsyncIterable<CostRow>,
  query: CostsSelection,
  format: CostFormat,
): Promise<CostsAnswer> {
  if (!Number.isFinite(query.limit)) return { pieces: writeCosts(viewed(rows, query), query, format) }
  const page: CostRowView[] = []
  let last: CostRow['place'] | undefined
  for await (const row of rows) {
    if (page.length === query.limit)
      return { pieces: writeCosts(page, query, format), next: costCursor(last!) }
    // A row refers to all steps of its group, and its view to its own alone.
    page.push(viewCostRow(row, query))
    last = row.place
  }
  return { pieces: writeCosts(page, query, format) }
}

async function* viewed(rows: AsyncIterable<CostRow>, query: CostsSelection): AsyncGenerator<CostRowView> {
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

/** RFC 4180; there also where no row follows. */
export const costsCsvHead = (query: Pick<CostsSelection, 'groupBy' | 'namespace'>): string =>
  `${costRowMembers(query).join(',')}\r\n`
export const costsCsvLine = (view: CostRowView): string => `${Object.values(view).map(csvCell).join(',')}\r\n`
