/** Splits CSV that arrives in pieces into records; holds at most one record that is not complete. */
export class CsvRows {
  #rest = ''
  readonly #maxRecordChars: number

  constructor(maxRecordChars = 4 * 2 ** 20) {
    this.#maxRecordChars = maxRecordChars
  }

  push(text: string, isEnd: boolean): string[][] {
    const all = this.#rest + text
    const records: string[][] = []
    const [commas, lineEnds] = [new Occurrences(all, ','), new Occurrences(all, '\n')]
    let from = all.charCodeAt(0) === 0xfeff ? 1 : 0
    for (;;) {
      while (all.charCodeAt(from) === lineFeed) from++
      const read = recordAt(all, from, isEnd, commas, lineEnds)
      if (read === undefined) break
      if (read.cells.length > 1 || read.cells[0] !== '') records.push(read.cells)
      from = read.next
    }
    this.#rest = all.slice(from)
    if (this.#rest.length > this.#maxRecordChars) throw new BadBill('has a line that is too long')
    return records
  }
}

/** The file is no bill that can be read; the message follows its name. */
export class BadBill extends Error {
  override readonly name = 'BadBill'
}

/** Finds a character from places that only grow, so that no part of the text is searched twice. */
class Occurrences {
  readonly #text: string
  readonly #character: string
  #found = Number.NEGATIVE_INFINITY

  constructor(text: string, character: string) {
    this.#text = text
    this.#character = character
  }

  /** Returns -1 if there is none. */
  from(at: number): number {
    if (this.#found !== -1 && this.#found < at) this.#found = this.#text.indexOf(this.#character, at)
    return this.#found
  }
}

const maxColumns = 10_000

/** Undefined if the record may continue after the text. */
function recordAt(text: string, from: number, isEnd: boolean, commas: Occurrences, lineEnds: Occurrences) {
  if (from >= text.length) return undefined
  const cells: string[] = []
  let at = from
  for (;;) {
    if (cells.length > maxColumns) throw new BadBill('has too many columns')
    if (text.charCodeAt(at) === quote) {
      let close = text.indexOf('"', at + 1)
      while (close >= 0 && text.charCodeAt(close + 1) === quote) close = text.indexOf('"', close + 2)
      // The quote may be the first of two.
      if (close < 0 || (close + 1 >= text.length && !isEnd)) return noEnd(isEnd)
      const raw = text.slice(at + 1, close)
      cells.push(raw.includes('"') ? raw.replaceAll('""', '"') : raw)
      at = close + 1
    } else {
      const [comma, lineEnd] = [commas.from(at), lineEnds.from(at)]
      const end = comma >= 0 && (lineEnd < 0 || comma < lineEnd) ? comma : lineEnd
      if (end < 0 && !isEnd) return undefined
      const stop = end < 0 ? text.length : end
      cells.push(
        text.slice(at, text.charCodeAt(stop - 1) === carriageReturn && stop === lineEnd ? stop - 1 : stop),
      )
      at = stop
    }
    const mark = text[at]
    if (mark === ',') at += 1
    else if (mark === '\n' || mark === undefined)
      return mark === undefined && !isEnd ? undefined : { cells, next: at + 1 }
    else if (mark === '\r') {
      if (text[at + 1] === undefined && !isEnd) return undefined
      return { cells, next: at + 2 }
    } else throw new BadBill('has text after a closing quote')
  }
}

function noEnd(isEnd: boolean): undefined {
  if (isEnd) throw new BadBill('opens a quote that is not closed')
}

const quote = 0x22
const lineFeed = 0x0a
const carriageReturn = 0x0d
