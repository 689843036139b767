import { round } from './money.ts'

/**
 * A text sent by a caller must not contain these control characters, nor half a surrogate pair. The
 * databases cannot store some of them, and none of them belongs in a log line, a header or a file name.
 * Every text of a request is checked.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what a text must not hold
const controls = /[\0-\x1f\x7f-\x9f]/

/** Returns what is wrong with a text, as a phrase that follows its name; undefined if nothing is wrong. */
export function wrongWithText(text: string): string | undefined {
  if (isShortAscii(text)) return undefined
  if (text.isWellFormed() && !controls.test(text)) return undefined
  return 'must not contain control characters or half a surrogate pair'
}

/** Most texts are short names. Looking at each of their characters takes less time than the two calls above. */
function isShortAscii(text: string): boolean {
  if (text.length > shortChars) return false
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code < 0x20 || code > 0x7e) return false
  }
  return true
}

const shortChars = 64

export const deepestNesting = 64

interface TextFault {
  /** JSON pointer from the value that was searched. */
  readonly pointer: string
  readonly message: string
}

/** Also where the value is nested too deeply; undefined if nothing is wrong. */
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
  for (const name in value) {
    if (wrongWithText(name) !== undefined) {
      return { pointer: '', message: 'must not contain a member whose name has control characters' }
    }
    const fault = findTextFault((value as Record<string, unknown>)[name], depth + 1)
    if (fault !== undefined) return { ...fault, pointer: `/${escapePointer(name)}${fault.pointer}` }
  }
  return undefined
}

export function escapePointer(member: string): string {
  return member.replaceAll('~', '~0').replaceAll('/', '~1')
}

/** Compares names as both databases order them: by their bytes in UTF-8. */
export const compareUtf8 = (a: string, b: string): number =>
  a === b ? 0 : Buffer.compare(Buffer.from(a), Buffer.from(b))

/** Joins the pieces of a text into fewer ones of at least `chars` characters each; only the last may be shorter. */
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

/** Writes a value as a CSV cell (RFC 4180). */
export function csvCell(value: string | number | null | undefined): string {
  if (value === undefined || value === null) return ''
  if (typeof value === 'number') return String(round(value, 6))
  // A spreadsheet would evaluate a text that begins like a formula; some also know the full-width signs.
  const safe = /^[=+\-@\t\r\n＝＋－＠]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** 1 -> 1 entry, 2 -> 2 entries */
export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${count} ${count === 1 ? one : many}`

/** No pattern matches everything. No regular expression, because many stars could keep one busy for a long time. */
export function matchesPattern(pattern: string | undefined, text: string): boolean {
  if (pattern === undefined) return true
  const parts = pattern.split('*')
  if (parts.length === 1) return pattern === text
  const [first, last] = [parts[0]!, parts.at(-1)!]
  if (text.length < first.length + last.length || !text.startsWith(first) || !text.endsWith(last))
    return false
  let from = first.length
  for (const part of parts.slice(1, -1)) {
    const found = text.indexOf(part, from)
    if (found < 0 || found + part.length > text.length - last.length) return false
    from = found + part.length
  }
  return true
}

/** Quotes a text as one word of a POSIX shell. */
export const shellWord = (text: string): string =>
  /^[\w./:@-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
