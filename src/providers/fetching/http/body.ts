import { addressWithoutQuery, ImportFailure } from './failure.ts'

interface BodyLimits {
  readonly maxBytes: number
  /** The longest time without data. */
  readonly idleMs: number
}

/** Throws if the bytes are too many, arrive too late, are cut off, or are an HTML page instead of data. */
export async function* watchedBody(
  response: Response,
  url: string,
  limits: BodyLimits,
  stop: AbortController,
): AsyncGenerator<Uint8Array> {
  const address = addressWithoutQuery(url)
  const announced = response.headers.has('content-encoding') ? null : response.headers.get('content-length')
  if (announced !== null && Number(announced) > limits.maxBytes) throw tooLarge(address, limits)
  let bytes = 0
  let looked = false
  let timer = setTimeout(() => stop.abort(), limits.idleMs)
  try {
    for await (const chunk of response.body ?? []) {
      clearTimeout(timer)
      bytes += chunk.length
      if (bytes > limits.maxBytes) throw tooLarge(address, limits)
      if (!looked) looked = refuseHtml(chunk, address)
      yield chunk
      timer = setTimeout(() => stop.abort(), limits.idleMs)
    }
  } catch (error) {
    if (error instanceof ImportFailure) throw error
    throw new ImportFailure('truncated', `${address} broke off after ${bytes} bytes`)
  } finally {
    clearTimeout(timer)
  }
  if (announced !== null && bytes !== Number(announced))
    throw new ImportFailure('truncated', `${address} ended after ${bytes} of ${announced} bytes`)
}

/** By its content type. refuseHtml also looks at how a page begins, because such pages often come with another type. */
export function refuseHtmlType(response: Response, url: string): void {
  const type = response.headers.get('content-type') ?? ''
  if (/\bhtml\b/i.test(type))
    throw new ImportFailure('unexpected-type', `${addressWithoutQuery(url)} answered with an HTML page`)
}

function refuseHtml(chunk: Uint8Array, address: string): boolean {
  const start = Buffer.from(chunk.buffer, chunk.byteOffset, Math.min(chunk.length, 512)).toString('latin1')
  if (/^\s*$/.test(start)) return false
  if (/^\s*(?:<!--.*?-->\s*)*<(!doctype\s+html|html)\b/is.test(start.replace(/^\u00ef\u00bb\u00bf/, '')))
    throw new ImportFailure('unexpected-type', `${address} answered with an HTML page`)
  return true
}

const tooLarge = (address: string, { maxBytes }: BodyLimits): ImportFailure =>
  new ImportFailure('too-large', `${address} is larger than ${maxBytes} bytes`)

/** What a server sent with a document, to ask later whether it has changed (RFC 9110, 13.1). */
export interface Validator {
  readonly etag?: string
  readonly lastModified?: string
}

/** By address. They are stored with the prices that were read from these documents, so that both always match. */
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
