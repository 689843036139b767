import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Problem } from '../../domain/problem.ts'
import { deepestNesting } from '../../domain/text.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The largest body that the route accepts. `routeOptions` has it too, but is created at each access. */
    limitBytes: number
  }
}

type Done = (error: Error | null, body?: unknown) => void

/** A body without a Content-Type is read as JSON; an empty one is accepted if the route expects none. */
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
  server.addContentTypeParser(
    'application/json',
    wholeBody((request, body, done) => parseJson(request, body.toString(), done)),
  )
  server.addContentTypeParser('*', wholeBody(refuse))
}

/** Many clients send a Content-Type with every request, also with those that have no body. */
function withoutBody(request: FastifyRequest, done: Done): void {
  if (request.routeOptions.schema?.body === undefined) done(null, undefined)
  else done(new Problem('not-json', 'The body is empty; a JSON object is expected.'))
}

const unknownCoding = (): Problem =>
  new Problem('unsupported-media-type', 'Send the body uncompressed, without a Content-Encoding.')

/** Describes why a body was rejected. It parses the body a second time, so that valid bodies cost nothing extra. */
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

/** Ten times the number of values in the largest registration of prices. */
export const maxJsonValues = 1_000_000

/**
 * Finds excessive nesting and too many values in a JSON text before it is parsed, because a few bytes of text can become
 * many objects. The text need not be valid JSON. Returns a phrase that follows "The body", or undefined if nothing is
 * wrong.
 */
export function wrongWithJsonText(text: string): string | undefined {
  let depth = 0
  let values = 0
  let isString = false
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) {
      // Most strings have no escapes and are skipped in one step.
      const end = isString ? -1 : text.indexOf('"', at + 1)
      if (end !== -1 && text.charCodeAt(end - 1) !== backslash) at = end
      else isString = !isString
    } else if (isString) {
      // Skips the escaped character, which may be a quote, together with its backslash.
      if (code === backslash) at++
    } else if (code === openBracket || code === openBrace) {
      values++
      if (++depth > deepestNesting) return `is nested deeper than ${deepestNesting}`
    } else if (code === closeBracket || code === closeBrace) depth--
    else if (code === comma && ++values > maxJsonValues) return `contains more than ${maxJsonValues} values`
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

type BodyParser = (request: FastifyRequest, body: Buffer<ArrayBuffer>, done: Done) => void

/** Makes a parser that receives the complete body in a buffer that nothing else uses. */
export const wholeBody =
  (parse: BodyParser) =>
  (request: FastifyRequest, payload: IncomingMessage, done: Done): void =>
    readWhole(request, payload, (error, body) => {
      if (error === null) parse(request, body!, done)
      else done(error)
    })

/** The first size of the buffer, unless a shorter body is announced. */
const firstBytes = 64 * 1024

/**
 * Reads a body into one buffer that grows with the bytes received, so that neither an announced length nor chunks of one
 * byte take much more memory than the body itself. A list of such chunks would take a hundred times as much.
 */
function readWhole(request: FastifyRequest, payload: IncomingMessage, done: WholeBodyDone): void {
  const { limitBytes: limit } = request
  const announced = request.headers['content-length']
  const most = announced === undefined ? limit : Number(announced)
  if (most > limit) {
    done(tooLarge())
    return
  }
  let body: Buffer<ArrayBuffer> | undefined
  let length = 0
  let isDone = false
  const stop = () => payload.off('data', take).off('end', end).off('error', fail)
  const take = (chunk: Buffer<ArrayBuffer>): void => {
    const needed = length + chunk.length
    if (needed > most) {
      stop()
      done(tooLarge())
      return
    }
    // A short body arrives in one chunk, which the parser of node:http has copied already.
    if (needed === most && length === 0 && chunk.buffer.byteLength === needed) body = chunk
    else {
      body = withRoom(body, length, needed, most)
      chunk.copy(body, length)
    }
    length = needed
  }
  const end = (): void => {
    isDone = true
    done(null, body === undefined ? Buffer.alloc(0) : body.subarray(0, length))
  }
  // Removing the listeners at the end would take longer than reading a short body.
  const fail = (error: Error): void => {
    if (isDone) return
    stop()
    done(new Problem('bad-request', 'The body could not be read.', { cause: error }))
  }
  payload.on('data', take).on('end', end).on('error', fail)
}

/** Returns a buffer with room for `needed` bytes and the same content: the given one, or one of twice its size. */
function withRoom(body: Buffer<ArrayBuffer> | undefined, length: number, needed: number, most: number) {
  if (body !== undefined && needed <= body.length) return body
  const bytes = Math.max(needed, body === undefined ? firstBytes : 2 * body.length)
  const grown = Buffer.allocUnsafeSlow(Math.min(most, bytes))
  body?.copy(grown, 0, 0, length)
  return grown
}

type WholeBodyDone = (error: Error | null, body?: Buffer<ArrayBuffer>) => void

const tooLarge = (): Problem =>
  new Problem('body-too-large', 'The body is larger than this endpoint accepts.')
