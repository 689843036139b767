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

/** Columns that a terminal uses: two for a character of an East Asian script and for an emoji. */
function width(cell: string): number {
  if (/^[\x20-\x7e]*$/.test(cell)) return cell.length
  let columns = 0
  for (const { segment } of new Intl.Segmenter().segment(cell)) columns += wide.test(segment) ? 2 : 1
  return columns
}

/** The characters of U+FF61 to U+FFDC have half the width. */
const wide =
  /^(?![\uff61-\uffdc])[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Bopomofo}\p{Emoji_Presentation}\u3000-\u303e\u30fc\uff01-\uff60\uffe0-\uffe6]|\ufe0f/u
