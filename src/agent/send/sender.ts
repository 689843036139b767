import type { Deliver, DeliveryResult } from './remote-write.ts'
import type { Spool, Spooled } from './spool.ts'

export type AgentLog = (level: 'info' | 'warn', message: string) => void

export interface SenderOptions {
  readonly deliver: Deliver
  /** If undefined, nothing is kept on disk. */
  readonly spool: Spool | undefined
  readonly log: AgentLog
  readonly firstPauseMs?: number
  readonly maxPauseMs?: number
  /** Pause between two attempts while somebody must fix something, such as the key. */
  readonly operatorPauseMs?: number
}

/** Nothing is written to disk while the server accepts requests. The log gets a line when a problem begins and ends. */
export class Sender {
  readonly #options: SenderOptions
  /** Newer than every request in the spool; while the server is away, only what could not be written to disk. */
  #memory: Uint8Array[] = []
  #away = false
  #trouble = ''
  #spoolTrouble = ''
  #pauseMs = 0
  #wake: (() => void) | undefined
  readonly counts = { taken: 0, refused: 0, dropped: 0 }

  constructor(options: SenderOptions) {
    this.#options = options
  }

  offer(body: Uint8Array): void {
    this.#memory.push(body)
    if (this.#away || this.#options.spool?.isEmpty === false) this.#moveToDisk()
    this.#wake?.()
  }

  /** Sends until the signal. Then waiting requests go to the spool. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const spooled = this.#options.spool?.peek()
      const body = spooled?.body ?? this.#memory[0]
      if (body === undefined) await this.#rest(undefined, signal)
      else {
        const result = await this.#options.deliver(body, signal)
        if (!signal.aborted) await this.#act(result, { body, spooled }, signal)
      }
    }
    this.#moveToDisk()
  }

  async #act(
    result: DeliveryResult,
    { body, spooled }: { readonly body: Uint8Array; readonly spooled: Spooled | undefined },
    signal: AbortSignal,
  ): Promise<void> {
    if (result.kind === 'later') {
      this.#away = true
      this.#moveToDisk()
      this.#say(
        result.needsOperator ? result.reason : 'away',
        `${result.reason}; measurements are kept until they can be sent`,
      )
      await this.#rest(this.#pauseAfter(result), signal)
      return
    }
    if (spooled !== undefined) this.#options.spool?.done(spooled)
    // While it was being sent, it may have been dropped to make room for newer ones.
    else if (this.#memory[0] === body) this.#memory.shift()
    this.#pauseMs = 0
    this.#away = false
    this.counts[result.kind]++
    if (result.kind === 'refused') this.#say(result.reason, `${result.reason}; this request is dropped`)
    else if (this.#trouble !== '') {
      this.#trouble = ''
      this.#options.log('info', 'the server accepts requests again')
    }
  }

  #pauseAfter({ retryAfterMs, needsOperator }: DeliveryResult & { kind: 'later' }): number {
    const { firstPauseMs = 1000, maxPauseMs = 300_000, operatorPauseMs = 60_000 } = this.#options
    if (needsOperator) return operatorPauseMs
    this.#pauseMs = Math.min(maxPauseMs, this.#pauseMs === 0 ? firstPauseMs : 2 * this.#pauseMs)
    // Many agents that lost the same server must not retry at the same time.
    return Math.max(retryAfterMs ?? 0, this.#pauseMs * (0.5 + Math.random() / 2))
  }

  /** Waits for the given time, or without one until there is a new request. New requests do not shorten a pause. */
  #rest(ms: number | undefined, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      let timer: NodeJS.Timeout | undefined
      const end = () => {
        clearTimeout(timer)
        signal.removeEventListener('abort', end)
        this.#wake = undefined
        resolve()
      }
      signal.addEventListener('abort', end)
      if (ms === undefined) this.#wake = end
      else timer = setTimeout(end, ms)
    })
  }

  /** Moves waiting requests to the spool, in order. If the disk accepts no more, only the newest stay in memory. */
  #moveToDisk(): void {
    const { spool } = this.#options
    try {
      for (let body = this.#memory[0]; spool !== undefined && body !== undefined; body = this.#memory[0]) {
        const before = spool.dropped
        spool.append(body)
        this.#memory.shift()
        this.#lose(spool.dropped - before)
        this.#spoolTrouble = ''
      }
    } catch (error) {
      const { message } = error as Error
      if (message !== this.#spoolTrouble) this.#options.log('warn', `the spool cannot be written: ${message}`)
      this.#spoolTrouble = message
    }
    while (this.#memory.length > maxInMemory) {
      this.#memory.shift()
      this.#lose(1)
    }
  }

  #lose(count: number): void {
    if (count > 0 && this.counts.dropped === 0) {
      const full = this.#options.spool === undefined || this.#spoolTrouble !== '' ? 'memory' : 'the spool'
      this.#options.log('warn', `${full} is full: the oldest measurements are dropped`)
    }
    this.counts.dropped += count
  }

  /** Logs a problem once, until there is another one. */
  #say(trouble: string, message: string): void {
    if (trouble !== this.#trouble) this.#options.log('warn', message)
    this.#trouble = trouble
  }
}

const maxInMemory = 40
