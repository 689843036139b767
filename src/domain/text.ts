import { round } from './money.ts'

/**
 * What a text sent by a caller may hold: no control characters and no half of a surrogate pair. The databases cannot keep
 * some of them, and none of them belongs in a log line, a header or a file name. Every text of a request is held to this.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what a text must not hold
const controls = /[\0-\x1f\x7f-\x9f]/

/** In a phrase that follows what it is about; undefined if nothing is wrong. */
export function wrongWithText(text: string): string | undefined {
  if (text.isWellFormed() && !controls.test(text)) return undefined
  return 'must not hold control characters or half a surrogate pair'
}

export const deepestNesting = 64

interface TextFault {
  /** JSON pointer from the value that was searched. */
  readonly pointer: string
  readonly message: string
}

/** The first text or member name in a JSON value that is unfit, or where it is nested too deeply; undefined if all is well. */
export function findTextFault(value: unknown, depth = 0): TextFault | undefined {
  if (typeof value === 'string') {
    const message = wrongWithText(value)
    return message === undefined ? undefined : { pointer: '', message }
  }
  if (typeof value !== 'object' || value === null) return undefined
  if (depth === deepestNesting) {
    return { pointer: '', message: `must not be nested deeper than ${deepestNesting}` }
  }
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      const fault = findTextFault(value[index], depth + 1)
      if (fault !== undefined) return { ...fault, pointer: `/${index}${fault.pointer}` }
    }
    return undefined
  }
  for (const name of Object.keys(value)) {
    if (wrongWithText(name) !== undefined) {
      return { pointer: '', message: 'must not hold a member whose name has control characters' }
    }
    const fault = findTextFault((value as Record<string, unknown>)[name], depth + 1)
    if (fault !== undefined) return { ...fault, pointer: `/${escapePointer(name)}${fault.pointer}` }
  }
  return undefined
}

export function escapePointer(member: string): string {
  return member.replaceAll('~', '~0').replaceAll('/', '~1')
}

/** As both databases order names: by their bytes in UTF-8. */
export const compareUtf8 = (a: string, b: string): number =>
  a === b ? 0 : Buffer.compare(Buffer.from(a), Buffer.from(b))

/** The same text in fewer pieces, of about so many characters. */
export function* joinPieces(pieces: Iterable<string>, chars: number): Generator<string> {
  let text = ''
  for (const piece of pieces) {
    text += piece
    if (text.length < chars) continue
    yield text
    text = ''
  }
  yield text
}

/** A cell of RFC 4180. */
export function csvCell(value: string | number | null | undefined): string {
  if (value === undefined || value === null) return ''
  if (typeof value === 'number') return String(round(value, 6))
  // A spreadsheet would work out what begins like a formula.
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
