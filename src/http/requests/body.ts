import { pipeline, Transform, type TransformCallback } from 'node:stream'
import type { FastifyInstance, FastifyRequest, preParsingHookHandler } from 'fastify'
import { Problem } from '../../domain/problem.ts'
import { deepestNesting } from '../../domain/text.ts'

type Done = (error: Error | null, body?: unknown) => void

/** How bodies are read: JSON, also where nothing says what it is, or none at all where the route asks for none. */
export function readBodies(
  server: Pick<FastifyInstance, 'addContentTypeParser' | 'getDefaultJsonParser' | 'removeContentTypeParser'>,
): void {
  server.removeContentTypeParser(['application/json', 'text/plain'])
  const parse = server.getDefaultJsonParser('error', 'error')
  const parseUnlessProto = server.getDefaultJsonParser('error', 'ignore')
  const parseJson = (request: FastifyRequest, body: string, done: Done): void => {
    const coding = request.headers['content-encoding']
    const wrong = wrongWithJsonText(body)
    if (body.length === 0) withoutBody(request, done)
    else if (coding !== undefined && coding.toLowerCase() !== 'identity') done(unknownCoding())
    else if (wrong !== undefined) done(new Problem('invalid', `The body ${wrong}.`))
    else
      parse(request, body, (error, value) => {
        if (error === null) done(null, value)
        else
          parseUnlessProto(request, body, (proto) =>
            done(new Problem('not-json', faultOf(body, proto !== null))),
          )
      })
  }
  const refuse = (request: FastifyRequest, body: Buffer, done: Done): void => {
    if (body.length === 0) withoutBody(request, done)
    else if (request.headers['content-type'] === undefined) parseJson(request, body.toString(), done)
    else done(new Problem('unsupported-media-type', 'Send the body as Content-Type: application/json.'))
  }
  server.addContentTypeParser('application/json', { parseAs: 'string' }, parseJson)
  server.addContentTypeParser('*', { parseAs: 'buffer' }, refuse)
}

/** Many clients send a Content-Type with every request, also with those that have no body. */
function withoutBody(request: FastifyRequest, done: Done): void {
  if (request.routeOptions.schema?.body === undefined) done(null, undefined)
  else done(new Problem('not-json', 'The body is empty; a JSON object is expected.'))
}

const unknownCoding = (): Problem =>
  new Problem('unsupported-media-type', 'Send the body uncompressed, without a Content-Encoding.')

/** Checked only after the body was rejected, so that reading a valid body costs nothing extra. */
function faultOf(body: string, holdsProto: boolean): string {
  try {
    JSON.parse(body.replace(/^\ufeff/, ''))
  } catch (error) {
    const fault = (error as Error).message.replace(/ in JSON(?= at)| is not valid JSON$/, '')
    return `The body is not valid JSON: ${fault}.`
  }
  const member = holdsProto ? '__proto__' : 'constructor with a member named prototype'
  return `The body contains a member named ${member}, which is not allowed.`
}

/** Ten times what the largest registration of prices needs. */
export const mostJsonValues = 1_000_000

/**
 * What is unreasonable in a JSON text, looked for before it is parsed: a few bytes of it can become many objects.
 * It does not have to be valid JSON. In a phrase that follows "The body"; undefined if nothing.
 */
export function wrongWithJsonText(text: string): string | undefined {
  let depth = 0
  let values = 0
  let isString = false
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) {
      // A string without escapes, as most are, is passed over at once.
      const end = isString ? -1 : text.indexOf('"', at + 1)
      if (end !== -1 && text.charCodeAt(end - 1) !== backslash) at = end
      else isString = !isString
    } else if (isString) {
      // Whatever is escaped, above all a quote, is passed over with its backslash.
      if (code === backslash) at++
    } else if (code === openBracket || code === openBrace) {
      values++
      if (++depth > deepestNesting) return `is nested deeper than ${deepestNesting}`
    } else if (code === closeBracket || code === closeBrace) depth--
    else if (code === comma && ++values > mostJsonValues) return `holds more than ${mostJsonValues} values`
  }
  return undefined
}

const quote = 0x22
const comma = 0x2c
const openBracket = 0x5b
const backslash = 0x5c
const closeBracket = 0x5d
const openBrace = 0x7b
const closeBrace = 0x7d

const pieceBytes = 64 * 1024

/**
 * Hands large bodies on in pieces of 64 KiB. A chunk of one byte costs a hundred and more until the body is whole, so a
 * client that sends nothing but such chunks would make gigabytes of a body within its limit.
 */
export const joinChunks: preParsingHookHandler = (request, _reply, payload, done) => {
  if (isSmall(request)) {
    done()
    return
  }
  const joined = new JoinedChunks()
  // An error also ends the joined stream, and its reader reports it.
  pipeline(payload, joined, () => {})
  done(null, joined as never)
}

function isSmall({ headers }: FastifyRequest): boolean {
  if (headers['transfer-encoding'] !== undefined) return false
  return Number(headers['content-length'] ?? 0) <= pieceBytes
}

class JoinedChunks extends Transform {
  #piece = Buffer.allocUnsafeSlow(pieceBytes)
  #filled = 0

  override _transform(chunk: Buffer, _encoding: string, done: TransformCallback): void {
    for (let from = 0; from < chunk.length; ) {
      const copied = chunk.copy(this.#piece, this.#filled, from)
      from += copied
      this.#filled += copied
      if (this.#filled === pieceBytes) {
        this.push(this.#piece)
        this.#piece = Buffer.allocUnsafeSlow(pieceBytes)
        this.#filled = 0
      }
    }
    done()
  }

  override _flush(done: TransformCallback): void {
    if (this.#filled > 0) this.push(this.#piece.subarray(0, this.#filled))
    done()
  }
}
