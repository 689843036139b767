import { ImportFailure } from './failure.ts'

interface BodyLimits {
  readonly mostBytes: number
  /** Longest silence. */
  readonly idleMs: number
}

/** The bytes of an answer, watched: too many, too late, cut off, or a page for people instead of data end it. */
export async function* watchedBody(
  response: Response,
  url: string,
  limits: BodyLimits,
  stop: AbortController,
): AsyncGenerator<Uint8Array> {
  const place = addressWithoutQuery(url)
  const announced = response.headers.has('content-encoding') ? null : response.headers.get('content-length')
  if (announced !== null && Number(announced) > limits.mostBytes) throw tooLarge(place, limits)
  let bytes = 0
  let looked = false
  let timer = setTimeout(() => stop.abort(), limits.idleMs)
  try {
    for await (const chunk of response.body ?? []) {
      clearTimeout(timer)
      bytes += chunk.length
      if (bytes > limits.mostBytes) throw tooLarge(place, limits)
      if (!looked) looked = refuseHtml(chunk, place)
      yield chunk
      timer = setTimeout(() => stop.abort(), limits.idleMs)
    }
  } catch (error) {
    if (error instanceof ImportFailure) throw error
    throw new ImportFailure('truncated', `${place} broke off after ${bytes} bytes`)
  } finally {
    clearTimeout(timer)
  }
  if (announced !== null && bytes !== Number(announced))
    throw new ImportFailure('truncated', `${place} ended after ${bytes} of ${announced} bytes`)
}

/** Refused by what it says it is, and by how it begins, since such pages often come as anything. */
export function refuseHtmlType(response: Response, url: string): void {
  const type = response.headers.get('content-type') ?? ''
  if (/\bhtml\b/i.test(type))
    throw new ImportFailure('unexpected-type', `${addressWithoutQuery(url)} answered with an HTML page`)
}

function refuseHtml(chunk: Uint8Array, place: string): boolean {
  const start = Buffer.from(chunk.buffer, chunk.byteOffset, Math.min(chunk.length, 512)).toString('latin1')
  if (/^\s*$/.test(start)) return false
  if (/^\s*(?:<!--.*?-->\s*)*<(!doctype\s+html|html)\b/is.test(start.replace(/^\u00ef\u00bb\u00bf/, '')))
    throw new ImportFailure('unexpected-type', `${place} answered with an HTML page`)
  return true
}

const tooLarge = (place: string, { mostBytes }: BodyLimits): ImportFailure =>
  new ImportFailure('too-large', `${place} is larger than ${mostBytes} bytes`)

/** What a server said of a document, to ask later whether it changed: RFC 9110, 13.1. */
export interface Validator {
  readonly etag?: string
  readonly lastModified?: string
}

/** By address. They are kept with the prices that were made of those documents, so that the two never part. */
export type Validators = Readonly<Record<string, Validator>>

export function conditionHeaders(validator: Validator | undefined): Record<string, string> {
  if (validator === undefined) return {}
  return {
    ...(validator.etag === undefined ? {} : { 'if-none-match': validator.etag }),
    ...(validator.lastModified === undefined ? {} : { 'if-modified-since': validator.lastModified }),
  }
}

export function validatorOf(headers: Headers): Validator | undefined {
  const etag = headers.get('etag')
  const lastModified = headers.get('last-modified')
  if (etag === null && lastModified === null) return undefined
  return {
    ...(etag === null ? {} : { etag }),
    ...(lastModified === null ? {} : { lastModified }),
  }
}

/** Where a request went, without its query, which can hold a caller's words. */
export function addressWithoutQuery(url: string): string {
  const { origin, pathname } = new URL(url)
  return origin + pathname
}
