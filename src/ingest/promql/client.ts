import { setTimeout as pause } from 'node:timers/promises'

/** For the engine or the client; it should be queried in smaller pieces. */
export class AnswerTooLarge extends Error {
  override readonly name = 'AnswerTooLarge'
}

/** However often it is repeated: a wrong key, a wrong address, no such tenant. */
export class EngineRefused extends Error {
  override readonly name = 'EngineRefused'
}

/** A failure that may be temporary; the query should be repeated. */
export class EngineUnavailable extends Error {
  override readonly name = 'EngineUnavailable'
  readonly retryAfterMs: number | undefined

  constructor(message: string, retryAfterMs?: number, options?: ErrorOptions) {
    super(message, options)
    this.retryAfterMs = retryAfterMs
  }
}

interface EngineAddress {
  /** Before /api/v1: http://prometheus:9090, http://mimir/prometheus. Shown in messages, so it must not contain secrets. */
  readonly url: string
  /** Authorization, X-Scope-OrgID, and the like. */
  readonly headers?: Readonly<Record<string, string>>
}

interface ClientOptions {
  readonly timeoutMs: number
  readonly maxAnswerBytes: number
  readonly attempts: number
  readonly firstPauseMs: number
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<unknown>
  /** Aborts requests in progress; the caller gets the signal's reason. */
  readonly signal?: AbortSignal
  /** Called once for each query that is retried because the engine cannot be reached. */
  onUnreachable?(error: EngineUnavailable): void
}

const defaultClientOptions: ClientOptions = {
  timeoutMs: 120_000,
  maxAnswerBytes: 64 << 20,
  attempts: 6,
  firstPauseMs: 500,
  sleep: (ms, signal) => pause(ms, undefined, signal && { signal }),
}

/** https://user:password@prometheus: fetch rejects such an address, and messages would reveal the password. */
export function holdsCredentials(url: string): boolean {
  const { username, password } = new URL(url)
  return username !== '' || password !== ''
}

/** Temporary failures are retried with growing pauses. */
export class PromqlClient {
  readonly #address: EngineAddress
  readonly #options: ClientOptions

  constructor(address: EngineAddress, options: Partial<ClientOptions> = {}) {
    this.#address = { ...address, url: address.url.replace(/\/+$/, '') }
    this.#options = { ...defaultClientOptions, ...options }
  }

  /** Returns `data` unchecked. Throws AnswerTooLarge, EngineRefused or EngineUnavailable. */
  ask(path: string, parameters: Readonly<Record<string, string>>): Promise<unknown> {
    return this.#askUntilAnswered(path, { method: 'POST', body: new URLSearchParams(parameters) })
  }

  /** Returns the values that a label had in a span of time, and possibly others. Throws as ask() does. */
  async labelValues(label: string, fromMs: number, toMs: number): Promise<string[]> {
    const span = new URLSearchParams({ start: String(fromMs / 1000), end: String(toMs / 1000) })
    const values = await this.#askUntilAnswered(`/api/v1/label/${label}/values?${span}`, { method: 'GET' })
    return Array.isArray(values) ? values.map(String) : []
  }

  async #askUntilAnswered(path: string, request: Pick<RequestInit, 'method' | 'body'>): Promise<unknown> {
    const { attempts, firstPauseMs, sleep, signal } = this.#options
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#askOnce(path, request)
      } catch (error) {
        signal?.throwIfAborted()
        if (!(error instanceof EngineUnavailable) || attempt >= attempts) throw error
        if (attempt === 1 && error.cause !== undefined) this.#options.onUnreachable?.(error)
        await sleep(error.retryAfterMs ?? Math.min(30_000, firstPauseMs * 2 ** (attempt - 1)), signal)
      }
    }
  }

  async #askOnce(path: string, request: Pick<RequestInit, 'method' | 'body'>): Promise<unknown> {
    let response: Response
    let text: string
    try {
      response = await fetch(`${this.#address.url}${path}`, {
        ...request,
        headers: { ...this.#address.headers, accept: 'application/json' },
        signal: AbortSignal.any([
          AbortSignal.timeout(this.#options.timeoutMs),
          ...(this.#options.signal === undefined ? [] : [this.#options.signal]),
        ]),
      })
      text = await this.#read(response)
    } catch (error) {
      if (error instanceof AnswerTooLarge) throw error
      if (error instanceof Error && error.name === 'TimeoutError')
        throw new AnswerTooLarge(`no answer within ${this.#options.timeoutMs} ms`)
      throw new EngineUnavailable(`${this.#address.url} cannot be reached: ${reason(error)}`, undefined, {
        cause: error,
      })
    }
    return dataOf(response, text)
  }

  async #read(response: Response): Promise<string> {
    const chunks: Uint8Array[] = []
    let bytes = 0
    for await (const chunk of response.body ?? []) {
      bytes += chunk.length
      if (bytes > this.#options.maxAnswerBytes)
        throw new AnswerTooLarge(`an answer of more than ${this.#options.maxAnswerBytes} bytes`)
      chunks.push(chunk)
    }
    return Buffer.concat(chunks).toString()
  }
}

function dataOf(response: Response, text: string): unknown {
  const answer = parse(text)
  if (response.ok && answer?.isPartial) throw new EngineUnavailable('a part of the engine does not answer')
  if (response.ok && answer?.status === 'success') return answer.data
  const error = typeof answer?.error === 'string' ? answer.error : text
  // Shown in one line of a terminal. A proxy answers with a page of many lines.
  const description = `HTTP ${response.status}: ${error.replace(/\p{Cc}+/gu, ' ').slice(0, 300)}`
  if (response.status === 413 || response.status === 422 || answer?.errorType === 'timeout')
    throw new AnswerTooLarge(description)
  if (response.status === 429 || response.status >= 500 || response.ok)
    throw new EngineUnavailable(description, retryAfterMs(response.headers.get('retry-after')))
  throw new EngineRefused(description)
}

interface EngineAnswer {
  readonly status?: string
  readonly data?: unknown
  /** Text from Prometheus and its like; gateways of clouds send an object. */
  readonly error?: unknown
  readonly errorType?: string
  /** VictoriaMetrics sets this if only some of its nodes have answered. */
  readonly isPartial?: boolean
}

function parse(text: string): EngineAnswer | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function retryAfterMs(header: string | null): number | undefined {
  const seconds = Number(header ?? Number.NaN)
  return Number.isFinite(seconds) && seconds >= 0 ? Math.min(seconds, 300) * 1000 : undefined
}

const reason = (error: unknown): string => {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  return cause instanceof Error ? cause.message || String((cause as { code?: string }).code) : String(cause)
}
