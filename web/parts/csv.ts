export type CsvCell = string | number | boolean | null | undefined

/** RFC 4180. A text that a spreadsheet would take for a formula is made a text again by an apostrophe. */
export function csvOf(header: readonly string[], rows: readonly (readonly CsvCell[])[]): string {
  return [header, ...rows]
    .map((cells) => cells.map(written).join(','))
    .join('\r\n')
    .concat('\r\n')
}

function written(cell: CsvCell): string {
  if (cell === null || cell === undefined) return ''
  if (typeof cell !== 'string') return String(cell)
  const text = /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
