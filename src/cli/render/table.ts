import { AsyncLocalStorage } from 'node:async_hooks'
import { styleText } from 'node:util'
import { rateText, type ShownCurrency, textInCurrency } from '../../domain/currency.ts'
import { printable } from './figures.ts'

/** Pads columns to their widest cell, and replaces characters that a terminal would execute, so callers need not do that. */
export function renderTable(
  cells: readonly (readonly string[])[],
  rightAligned: readonly number[] = [],
  kept: readonly number[] = keptColumns,
): string {
  const { columns = Number.POSITIVE_INFINITY, hasColor = false } = terminal.getStore() ?? {}
  const rows = cells.map((row) => row.map((cell) => shownAmounts(printable(cell))))
  const isHeaded = rows.length > 1 && isHead(rows[0]!)
  const shown = columnsThatFit(rows, rightAligned, columns, isHeaded, kept)
  const lines = rows.flatMap((row, index) => {
    const isFirst = isHeaded && index === 0
    const parts = [...shown].map(([column, width]) => linesOf(row[column] ?? '', width, isFirst, isHeaded))
    const text = Array.from({ length: Math.max(...parts.map((part) => part.length)) }, (_, line) =>
      [...shown]
        .map(([column, columnWidth], at) => {
          const cell = parts[at]![line] ?? ''
          const padding = ' '.repeat(Math.max(0, columnWidth - width(cell)))
          return rightAligned.includes(column) ? padding + cell : cell + padding
        })
        .join(gap)
        .trimEnd(),
    )
    return isFirst && hasColor ? text.map((line) => styleText('bold', line, { validateStream: false })) : text
  })
  const hidden = isHeaded ? rows[0]!.filter((_, column) => !shown.has(column)) : []
  return [...lines, ...(hidden.length === 0 ? [] : [`(--wide also shows ${hidden.join(', ')})`])].join('\n')
}

/** All but the name of a label are in capitals. */
const isHead = (row: readonly string[]): boolean =>
  row.filter((cell) => /[A-Z]/.test(cell) && cell === cell.toUpperCase()).length >=
  Math.max(1, row.length - 1)

const gap = '  '
const minTextWidth = 12
/** Names, which people copy, are in the first column. */
const minNameWidth = 30
/** A sentence in the last column is what the line is for. */
const minSentenceWidth = 28
/** The first columns say what a line is about. */
const keptColumns = [0, 1]

/**
 * Returns the widths of the columns that are shown. If a table is too wide, heads are written on several lines, then the
 * widest texts are shortened, then the narrowest texts and at last figures are left out. Figures and ids are never
 * shortened. A table without a head is a list of names and texts, of which the last, and if necessary the widest names, are written
 * on several lines.
 */
function columnsThatFit(
  rows: readonly (readonly string[])[],
  rightAligned: readonly number[],
  columns: number,
  isHeaded: boolean,
  kept: readonly number[],
): Map<number, number> {
  const [head = []] = rows
  const count = Math.max(0, ...rows.map((row) => row.length))
  const widest = (from: number, column: number) =>
    rows.slice(from).reduce((most, row) => Math.max(most, width(row[column] ?? '')), 0)
  const widths = new Map(Array.from({ length: count }, (_, column) => [column, widest(0, column)]))
  const excess = () => widths.values().reduce((sum, one) => sum + one + gap.length, -gap.length) - columns
  if (excess() <= 0) return widths
  if (!isHeaded) {
    const shrink = (column: number, least: number) =>
      widths.set(column, Math.min(widths.get(column)!, Math.max(least, widths.get(column)! - excess())))
    shrink(count - 1, 2 * minTextWidth)
    const names = [...widths].slice(0, -1).sort(([, a], [, b]) => b - a)
    for (const [column] of names) if (excess() > 0) shrink(column, minTextWidth)
    return widths
  }
  for (const column of widths.keys())
    widths.set(
      column,
      Math.max(widest(1, column), ...wordsOf(head[column]!).map((word) => width(word.trimEnd()))),
    )
  const texts = () =>
    [...widths]
      .filter(([column]) => !rightAligned.includes(column) && head[column] !== 'ID')
      .sort(([, a], [, b]) => a - b)
  const longest = widths.get(count - 1)!
  const leastWidth = (column: number): number =>
    column === 0
      ? minNameWidth
      : kept.includes(column) && !keptColumns.includes(column)
        ? 2 * minTextWidth
        : column === count - 1 && longest > 2 * minSentenceWidth
          ? minSentenceWidth
          : minTextWidth
  while (excess() > 0) {
    const [column, widestText] = texts().findLast(([column, one]) => one > leastWidth(column)) ?? []
    if (column === undefined || widestText === undefined) break
    widths.set(column, Math.max(leastWidth(column), widestText - excess(), Math.floor(widestText * 0.8)))
  }
  while (excess() > 0 && [...widths.keys()].some((at) => !kept.includes(at))) {
    const [column] =
      texts().find(([at, one]) => !kept.includes(at) && !(at === count - 1 && one >= minSentenceWidth)) ??
      [...widths].findLast(([at]) => !kept.includes(at))!
    widths.delete(column)
  }
  return widths
}

const wordsOf = (text: string): string[] => text.split(/(?<=[ /])/)

/** Wraps a text at spaces, and words that are too long anywhere. */
export const wrapped = (text: string, columns: number): string[] => {
  const lines = ['']
  const pieces = (word: string) =>
    width(word) <= columns ? [word] : word.match(new RegExp(`.{1,${columns}}`, 'gu'))!
  for (const word of text.split(/(?<= )/).flatMap(pieces)) {
    if (lines.at(-1) !== '' && width(lines.at(-1)! + word.trimEnd()) > columns) lines.push(word)
    else lines[lines.length - 1] += word
  }
  return lines.map((line) => line.trimEnd())
}

/** Wraps lines that are wider than the terminal. They keep their indentation; those of a table fit already. */
export function fittedLines(text: string): string[] {
  const { columns = Number.POSITIVE_INFINITY } = terminal.getStore() ?? {}
  return text.split('\n').flatMap((line) => {
    const [indentation] = /^ */.exec(line)!
    if (width(line) <= columns) return [line]
    return wrapped(line.trimStart(), columns - indentation.length).map((part) => indentation + part)
  })
}

/** Lines of tables fit already, and those of files must not change: a sentence has no gap, and ends as one. */
const sentence = /^(?!.*\S {2})\S.* .*[.:)]$/

/** Wraps the sentences of a text that are wider than the terminal. */
export function fittedSentences(text: string): string {
  const { columns = Number.POSITIVE_INFINITY } = terminal.getStore() ?? {}
  const lines = text.split('\n').flatMap((line) => (sentence.test(line) ? wrapped(line, columns) : [line]))
  return lines.join('\n')
}

function linesOf(cell: string, columns: number, isHead: boolean, isHeaded: boolean): string[] {
  if (width(cell) <= columns) return [cell]
  if (isHeaded && !isHead) return [shortened(cell, columns)]
  return wrapped(isHead ? cell.replaceAll('/', '/ ') : cell, columns)
}

function shortened(cell: string, columns: number): string {
  if (width(cell) <= columns) return cell
  let text = ''
  for (const { segment } of new Intl.Segmenter().segment(cell)) {
    if (width(text + segment) >= columns) break
    text += segment
  }
  return `${text}\u2026`
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

interface Terminal {
  /** Tables are not wider than this; Infinity if the output is not a terminal. */
  readonly columns: number
  readonly hasColor: boolean
  /** Absent for US dollars. */
  readonly currency?: ShownCurrency | undefined
}

/** A context of calls, because tables are rendered deep inside texts. Without one, output is plain. */
export const terminal = new AsyncLocalStorage<Terminal>()

/** What amounts are converted at, if they are. */
export function shownRate(): string[] {
  const currency = terminal.getStore()?.currency
  return currency === undefined ? [] : [rateText(currency)]
}

/** Amounts in US dollars in a text, in the currency of the call. */
export function shownAmounts(text: string): string {
  const currency = terminal.getStore()?.currency
  return currency === undefined ? text : textInCurrency(text, currency)
}
