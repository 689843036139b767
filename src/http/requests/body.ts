import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
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

type BodyParser = (request: FastifyRequest, body: Buffer<ArrayBuffer>, done: Done) => void

/** A parser of bodies that have come whole; their memory is the parser's own. */
export const wholeBody =
  (parse: BodyParser) =>
  (request: FastifyRequest, payload: IncomingMessage, done: Done): void =>
    readWhole(request, payload, (error, body) => {
      if (error === null) parse(request, body!, done)
      else done(error)
    })

/** Where the length is not known, and while not even this much has come. */
const firstBytes = 64 * 1024

/**
 * Reads a body whole, into memory of its own. It grows with what has come, so that neither a length that is only announced
 * nor chunks of one byte cost more than the body; a list of such chunks would take a hundred times as much.
 */
function readWhole(request: FastifyRequest, payload: IncomingMessage, done: WholeBodyDone): void {
  const limit = request.routeOptions.bodyLimit
  const announced = request.headers['content-length']
  const most = announced === undefined ? limit : Number(announced)
  if (most > limit) {
    done(tooLarge())
    return
  }
  let body = Buffer.allocUnsafeSlow(Math.min(most, firstBytes))
  let length = 0
  const stop = () => payload.off('data', take).off('end', end).off('error', fail)
  const take = (chunk: Buffer): void => {
    const needed = length + chunk.length
    if (needed > most) {
      stop()
      done(tooLarge())
      return
    }
    if (needed > body.length) {
      const grown = Buffer.allocUnsafeSlow(Math.min(most, Math.max(needed, 2 * body.length)))
      body.copy(grown, 0, 0, length)
      body = grown
    }
    chunk.copy(body, length)
    length = needed
  }
  const end = (): void => {
    stop()
    done(null, body.subarray(0, length))
  }
  const fail = (error: Error): void => {
    stop()
    done(new Problem('bad-request', 'The body could not be read.', { cause: error }))
  }
  payload.on('data', take).on('end', end).on('error', fail)
}

type WholeBodyDone = (error: Error | null, body?: Buffer<ArrayBuffer>) => void

const tooLarge = (): Problem =>
  new Problem('body-too-large', 'The body is larger than this endpoint accepts.')
