import { setImmediate as nextTurn } from 'node:timers/promises'
import { jsonContentType, ndjsonMediaType } from './requests/negotiation.ts'

/** One JSON array, or a line of JSON for each item. */
type ListFormat = 'json' | 'ndjson'

export const listContentType: Readonly<Record<ListFormat, string>> = {
  json: jsonContentType,
  ndjson: ndjsonMediaType,
}

/** Lines only for who names them. */
export const listFormat = (accept: string | undefined): ListFormat =>
  accept?.toLowerCase().includes(ndjsonMediaType) ? 'ndjson' : 'json'

const pieceChars = 64 * 1024

/** In pieces: none is written before the one before was taken. */
export async function* writeList(items: readonly unknown[], format: ListFormat): AsyncGenerator<string> {
  const isArray = format === 'json'
  let piece = isArray ? '[' : ''
  for (const [index, item] of items.entries()) {
    piece += isArray ? (index === 0 ? '' : ',') + JSON.stringify(item) : `${JSON.stringify(item)}\n`
    if (piece.length < pieceChars) continue
    yield piece
    piece = ''
    await nextTurn()
  }
  yield isArray ? `${piece}]` : piece
}

/** The same question, from where the page ended. */
export function linkTo(url: string, next: Readonly<Record<string, string>>): string {
  const [path, words = ''] = url.split('?')
  const query = new URLSearchParams(words)
  for (const [name, value] of Object.entries(next)) query.set(name, value)
  return `<${path}?${query}>; rel="next"`
}
