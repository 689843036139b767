import { csvCell } from '../../src/domain/text.ts'

export type CsvCell = string | number | boolean | null | undefined

/** Writes CSV of RFC 4180. Text that a spreadsheet would take for a formula is prefixed with an apostrophe. */
export function csvOf(header: readonly string[], rows: readonly (readonly CsvCell[])[]): string {
  return [header, ...rows]
    .map((cells) => cells.map(written).join(','))
    .join('\r\n')
    .concat('\r\n')
}

function written(cell: CsvCell): string {
  if (cell === null || cell === undefined) return ''
  return typeof cell === 'string' ? csvCell(cell) : String(cell)
}
