import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Precondition } from '../../domain/cursor.ts'
import { Problem } from '../../domain/problem.ts'

export const jsonMediaType = 'application/json'
export const ndjsonMediaType = 'application/x-ndjson'
/** The Content-Type of JSON that is sent as text. */
export const jsonContentType = 'application/json; charset=utf-8'

/** Throws if the Accept header allows none of the media types that the route can produce. */
export function checkAccept(accept: string | undefined, produces: readonly string[]): void {
  if (accept === undefined || accept === '*/*' || accept === jsonMediaType) {
    if (accept !== jsonMediaType || produces.includes(jsonMediaType)) return
  }
  const ranges = (accept ?? '*/*')
    .split(',')
    .map((part) => part.split(';').map((piece) => piece.trim().toLowerCase()))
  const taken = ranges.some(([range = '', ...params]) => {
    const refused = params.some((param) => /^q=0(\.0*)?$/.test(param))
    return !refused && produces.some((type) => matches(range, type))
  })
  if (!taken) throw new Problem('not-acceptable', `This endpoint produces ${produces.join(' or ')}.`)
}

function matches(range: string, type: string): boolean {
  return range === '*/*' || range === type || (range.endsWith('/*') && type.startsWith(range.slice(0, -1)))
}

/**
 * Whether If-None-Match or If-Match matches the entity tag: a list of tags, or `*` for any. RFC 9110, section 13.1.2,
 * asks for weak comparison. It is also used for If-Match, because proxies that compress responses make tags weak.
 */
export function matchesEntityTag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false
  if (header.trim() === '*') return true
  return (header.match(entityTags) ?? []).some((tag) => opaque(tag) === opaque(etag))
}

interface TaggedAnswer {
  readonly etag: string
  readonly contentType: string
  readonly caching: string
  readonly body: string | Buffer
}

/** Sends an answer, or 304 if the caller has it already. */
export function sendUnlessKnown(
  request: FastifyRequest,
  reply: FastifyReply,
  { etag, contentType, caching, body }: TaggedAnswer,
): FastifyReply {
  reply.header('etag', etag).header('cache-control', caching)
  if (matchesEntityTag(request.headers['if-none-match'], etag)) return reply.code(304).send()
  return reply.header('content-type', contentType).send(body)
}

/** Returns undefined if the request has no If-Match header. */
export function preconditionOf(header: string | undefined): Precondition | undefined {
  return header === undefined ? undefined : (etag) => matchesEntityTag(header, etag)
}

/** RFC 9110, section 8.8.3. A tag may contain commas. */
const entityTags = /(?:W\/)?"[^"]*"/g

const opaque = (tag: string): string => tag.replace(/^W\//, '')

/** `json` is one JSON array, `ndjson` a line of JSON for each item. */
type ListFormat = 'json' | 'ndjson'

export const listContentType: Readonly<Record<ListFormat, string>> = {
  json: jsonContentType,
  ndjson: ndjsonMediaType,
}

/** NDJSON is sent only to callers whose Accept header names it; a wildcard means JSON. */
export const listFormat = (accept: string | undefined): ListFormat =>
  accept?.toLowerCase().includes(ndjsonMediaType) ? 'ndjson' : 'json'

const pieceChars = 64 * 1024

/** Writes a list in pieces; each is made after the previous one was taken. */
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

/** The Link header of the next page: the same request, continued from where this page ended. */
export function linkTo(url: string, next: Readonly<Record<string, string>>): string {
  const [path, words = ''] = url.split('?')
  const query = new URLSearchParams(words)
  for (const [name, value] of Object.entries(next)) query.set(name, value)
  return `<${path}?${query}>; rel="next"`
}
