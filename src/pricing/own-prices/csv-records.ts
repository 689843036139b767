/** One record of a CSV file, or why it cannot be parsed. */
export interface CsvRecord {
  /** The line on which the record begins. If it is invalid, the line of the misplaced quote. */
  readonly line: number
  readonly cells: readonly string[]
  readonly wrong?: string
}

/**
 * Returns every record that is not empty. A misplaced quote makes only its own line invalid, and reading continues with
 * the next line. A parser that stops there, or takes everything that follows as one field, would hide all other bad
 * lines from the person who has to fix the file.
 */
export function csvRecords(text: string): CsvRecord[] {
  const records: CsvRecord[] = []
  const reader = { text, delimiter: delimiterOf(text), at: text.startsWith('\ufeff') ? 1 : 0, line: 1 }
  while (reader.at < text.length) {
    const record = readRecord(reader)
    if (record.wrong !== undefined || record.cells.length > 1 || record.cells[0] !== '') records.push(record)
  }
  return records
}

interface Reader {
  readonly text: string
  readonly delimiter: string
  at: number
  line: number
}

function readRecord(reader: Reader): CsvRecord {
  const { text, delimiter } = reader
  const begun = reader.line
  const cells: string[] = []
  for (;;) {
    const opened = { at: reader.at, line: reader.line }
    const quoted = text[reader.at] === '"'
    const cell = quoted ? quotedCell(reader) : plainCell(reader)
    const next = text[reader.at]
    if (cell === undefined || !(next === undefined || next === delimiter || isBreak(next))) {
      const wrong = wrongQuote(quoted, reader.line > opened.line || cell === undefined)
      Object.assign(reader, opened)
      passLine(reader)
      return { line: opened.line, cells: [], wrong }
    }
    cells.push(cell)
    if (next === delimiter) reader.at += 1
    else {
      passLine(reader)
      return { line: begun, cells }
    }
  }
}

function wrongQuote(quoted: boolean, beyondItsLine: boolean): string {
  if (!quoted) return 'has a quote inside a field that does not begin with one'
  return beyondItsLine ? 'opens a quote that is not closed' : 'has text after a closing quote'
}

function plainCell(reader: Reader): string {
  const { text, delimiter, at } = reader
  let end = at
  while (end < text.length && text[end] !== delimiter && text[end] !== '"' && !isBreak(text[end]!)) end += 1
  reader.at = end
  return text.slice(at, end)
}

function quotedCell(reader: Reader): string | undefined {
  const { text } = reader
  const from = reader.at + 1
  let end = text.indexOf('"', from)
  while (end >= 0 && text[end + 1] === '"') end = text.indexOf('"', end + 2)
  if (end < 0) return undefined
  const raw = text.slice(from, end)
  reader.at = end + 1
  reader.line += raw.match(/\r\n|\n|\r/g)?.length ?? 0
  return raw.replaceAll('""', '"')
}

function passLine(reader: Reader): void {
  const { text } = reader
  while (reader.at < text.length && !isBreak(text[reader.at]!)) reader.at += 1
  reader.at += text.startsWith('\r\n', reader.at) ? 2 : 1
  reader.line += 1
}

const isBreak = (character: string): boolean => character === '\n' || character === '\r'

function delimiterOf(text: string): string {
  const [firstLine = ''] = /[^\r\n]+/.exec(text) ?? []
  return [',', ';', '\t'].find((mark) => firstLine.includes(mark)) ?? ','
}
