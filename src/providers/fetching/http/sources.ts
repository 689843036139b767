import { setTimeout as sleep } from 'node:timers/promises'
import { isCutOff } from '../json/skim.ts'
import {
  conditionHeaders,
  refuseHtmlType,
  type Validator,
  type Validators,
  validatorOf,
  watchedBody,
} from './body.ts'
import {
  addressWithoutQuery,
  type Backoff,
  defaultBackoff,
  type FailureCode,
  ImportFailure,
  isRetryable,
  retryAfterMs,
  waitMs,
} from './failure.ts'
import type { RecordAnswer } from './record.ts'

export interface SourceRequest {
  readonly url: string
  readonly method?: 'GET' | 'POST'
  readonly body?: string
  /** Called for each attempt, because a signature is valid only for minutes. */
  headers?(): Record<string, string>
  /** Whether the headers contain a secret. Such a request is never sent in clear text or to another origin. */
  readonly secret?: boolean
  /** Whether to ask only if the document has changed, if its validator is known from the last good prices. */
  readonly conditional?: boolean
  readonly maxBytes?: number
  /** How long to wait after a 429 without Retry-After. */
  readonly busyMs?: number
}

export interface SourcesOptions {
  readonly known?: Validators
  readonly signal?: AbortSignal
  readonly backoff?: Backoff
  readonly idleMs?: number
  /** How many bytes may be read in total. */
  readonly maxTotalBytes?: number
  readonly record?: RecordAnswer
  pause?(ms: number, signal: AbortSignal | undefined): Promise<unknown>
  random?(): number
  now?(): number
  onWait?(line: { readonly address: string; readonly ms: number; readonly why: string }): void
}

export const notModified = Symbol('not modified')

const smallBytes = 64 * 1024 * 1024
const maxRedirects = 3

/** Fetches documents without knowing what they contain: retries, conditional requests, no answer that is not data. */
export class Sources {
  readonly #options: SourcesOptions
  /** Validators of every document that was read or confirmed. */
  readonly seen: Record<string, Validator> = {}
  bytes = 0

  constructor(options: SourcesOptions = {}) {
    this.#options = options
  }

  /** `consume` is called again from the start of the body when an attempt breaks off, so it must start over. */
  async read<Result>(
    request: SourceRequest,
    consume: (chunks: AsyncIterable<Uint8Array>) => Promise<Result>,
  ): Promise<Result | typeof notModified> {
    const { backoff = defaultBackoff, random = Math.random, signal } = this.#options
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#attempt(request, consume)
      } catch (error) {
        if (signal?.aborted) throw new ImportFailure('stopped', 'the refresh was stopped')
        if (!(error instanceof ImportFailure) || !isRetryable(error) || attempt >= backoff.attempts)
          throw error
        const requestedMs = error instanceof Busy ? (error.retryAfterMs ?? error.busyMs) : undefined
        const ms = Math.max(requestedMs ?? 0, waitMs(backoff, attempt, random))
        this.#options.onWait?.({ address: addressWithoutQuery(request.url), ms, why: error.message })
        await this.#pause(ms, signal)
      }
    }
  }

  /** For a document that is small enough to be held as a whole. An error that `parse` throws counts as a failed attempt. */
  async whole<Result>(
    request: SourceRequest,
    parse: (text: string) => Result,
  ): Promise<Result | typeof notModified> {
    return this.read({ maxBytes: smallBytes, ...request }, async (chunks) => {
      const parts: Uint8Array[] = []
      for await (const chunk of chunks) parts.push(chunk)
      return parse(Buffer.concat(parts).toString('utf8'))
    })
  }

  async json(request: SourceRequest): Promise<unknown> {
    return this.whole(request, (text) => {
      try {
        return JSON.parse(text) as unknown
      } catch {
        const cut = isCutOff(text)
        throw new ImportFailure(
          cut ? 'truncated' : 'malformed',
          `${addressWithoutQuery(request.url)} is ${cut ? 'JSON that is cut off' : 'not JSON'}`,
        )
      }
    })
  }

  async #attempt<Result>(
    request: SourceRequest,
    consume: (chunks: AsyncIterable<Uint8Array>) => Promise<Result>,
  ): Promise<Result | typeof notModified> {
    const { signal, idleMs = 60_000, now = Date.now } = this.#options
    const { url } = request
    const stop = new AbortController()
    const stopToo = () => stop.abort()
    signal?.addEventListener('abort', stopToo)
    const timer = setTimeout(stopToo, idleMs)
    try {
      if (signal?.aborted) throw new ImportFailure('stopped', 'the refresh was stopped')
      const response = await this.#follow(request, stop.signal)
      clearTimeout(timer)
      if (response.status === 304 && request.conditional) {
        this.seen[url] = this.#options.known?.[url] ?? {}
        await response.body?.cancel()
        return notModified
      }
      if (response.status !== 200) {
        await this.#refused(url, response)
        throw failureOf(response, request, now())
      }
      refuseHtmlType(response, url)
      const limits = { maxBytes: request.maxBytes ?? smallBytes, idleMs }
      const body = this.#counted(url, watchedBody(response, url, limits, stop))
      const result = await consume(this.#options.record?.(url, response, body) ?? body)
      const validator = request.conditional ? validatorOf(response.headers) : undefined
      if (validator !== undefined) this.seen[url] = validator
      return result
    } finally {
      clearTimeout(timer)
      signal?.removeEventListener('abort', stopToo)
      stop.abort()
    }
  }

  async *#counted(url: string, chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    const { maxTotalBytes = Infinity } = this.#options
    for await (const chunk of chunks) {
      this.bytes += chunk.length
      if (this.bytes > maxTotalBytes) {
        const why = `reached the limit of ${Math.round(maxTotalBytes / 1e6)} MB for one provider`
        throw new ImportFailure('too-large', `${addressWithoutQuery(url)} ${why}`)
      }
      yield chunk
    }
  }

  /** Records an answer that is not the list, or discards it. */
  async #refused(url: string, response: Response): Promise<void> {
    const { record } = this.#options
    if (record === undefined) await response.body?.cancel()
    else for await (const _ of record(url, response, refusedBody(response)));
  }

  /** Keeps the validator of a document that is not read now, because the prices that were read from it are kept. */
  confirm(url: string): void {
    const validator = this.#options.known?.[url]
    if (validator !== undefined) this.seen[url] = validator
  }

  /** Follows redirects itself, so that a request with a secret never goes to another origin. */
  async #follow(request: SourceRequest, signal: AbortSignal): Promise<Response> {
    let url = request.url
    for (let hop = 0; hop <= maxRedirects; hop++) {
      refuseClearText(url, request)
      const response = await this.#send(url, request, signal)
      const target = response.headers.get('location')
      if (response.status < 301 || response.status > 308 || response.status === 304 || target === null)
        return response
      await response.body?.cancel()
      const next = new URL(target, url)
      if (request.secret && next.origin !== new URL(url).origin)
        throw new ImportFailure(
          'unexpected-status',
          `${addressWithoutQuery(url)} redirects elsewhere, which is not followed with a credential`,
        )
      url = next.href
    }
    throw new ImportFailure('unexpected-status', `${addressWithoutQuery(request.url)} redirects in a loop`)
  }

  async #send(url: string, request: SourceRequest, signal: AbortSignal): Promise<Response> {
    const known = request.conditional ? this.#options.known?.[request.url] : undefined
    try {
      return await fetch(url, {
        method: request.method ?? 'GET',
        redirect: 'manual',
        signal,
        headers: {
          'user-agent': 'cheapside (price catalogue refresh)',
          ...conditionHeaders(known),
          ...request.headers?.(),
        },
        ...(request.body === undefined ? {} : { body: request.body }),
      })
    } catch (error) {
      if (error instanceof ImportFailure) throw error
      const why = signal.aborted ? 'did not respond in time' : `cannot be reached (${causeOf(error)})`
      throw new ImportFailure('unreachable', `${addressWithoutQuery(url)} ${why}`)
    }
  }

  async #pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
    const pause = this.#options.pause ?? ((time, stop) => sleep(time, undefined, stop && { signal: stop }))
    await pause(ms, signal).catch(() => undefined)
    if (signal?.aborted) throw new ImportFailure('stopped', 'the refresh was stopped')
  }
}

const maxRefusedBytes = 1024 * 1024

async function* refusedBody({ body }: Response): AsyncGenerator<Uint8Array> {
  let bytes = 0
  for await (const chunk of body ?? []) {
    yield chunk
    bytes += chunk.length
    if (bytes > maxRefusedBytes) return
  }
}

class Busy extends ImportFailure {
  readonly retryAfterMs: number | undefined
  readonly busyMs: number | undefined

  constructor(message: string, retryAfter: number | undefined, busyMs: number | undefined) {
    super('busy', message)
    this.retryAfterMs = retryAfter
    this.busyMs = busyMs
  }
}

function failureOf(response: Response, request: SourceRequest, nowMs: number): ImportFailure {
  const { status } = response
  const message = `${addressWithoutQuery(request.url)} answered ${status}`
  if (status === 429 || status === 408 || status === 425 || status >= 500)
    return new Busy(
      message,
      retryAfterMs(response.headers.get('retry-after'), nowMs),
      status === 429 ? request.busyMs : undefined,
    )
  const code: FailureCode =
    (status === 401 || status === 403) && request.secret ? 'credential-refused' : 'unexpected-status'
  return new ImportFailure(
    code,
    code === 'credential-refused' ? `${message}: the credential is refused` : message,
  )
}

function refuseClearText(url: string, { secret }: SourceRequest): void {
  const { protocol, hostname } = new URL(url)
  const loopback = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)
  if (secret && protocol !== 'https:' && !loopback)
    throw new ImportFailure(
      'unexpected-status',
      `${addressWithoutQuery(url)} is not https, and a credential would be sent`,
    )
}

function causeOf(error: unknown): string {
  const cause = (error as { cause?: { code?: unknown } } | null)?.cause
  return typeof cause?.code === 'string' ? cause.code : 'connection failed'
}
