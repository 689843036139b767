import { printable } from './figures.ts'

/**
 * Pads columns to their widest cell. The given columns are aligned right. Characters that a terminal would execute are
 * replaced, so callers need not do that.
 */
export function renderTable(
  cells: readonly (readonly string[])[],
  rightAligned: readonly number[] = [],
): string {
  const rows = cells.map((row) => row.map(printable))
  const widths: number[] = []
  for (const row of rows) {
    row.forEach((cell, column) => {
      widths[column] = Math.max(widths[column] ?? 0, width(cell))
    })
  }
  return rows
    .map((row) =>
      row
        .map((cell, column) => {
          const padding = ' '.repeat(widths[column]! - width(cell))
          return rightAligned.includes(column) ? padding + cell : cell + padding
        })
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

function width(cell: string): number {
  return [...cell].length
}
