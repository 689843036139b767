/** Work whose result several callers wait for. It is aborted when the last of them has left. */
export class SharedWork<Key, Result> {
  readonly #inFlight = new Map<Key, Work<Result>>()

  /** Joins the work of this key, or begins it. Rejects with the reason of the signal as soon as it fires. */
  async run(key: Key, signal: AbortSignal, begin: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
    signal.throwIfAborted()
    const work = this.#inFlight.get(key) ?? this.#begin(key, begin)
    const { promise: left, reject } = Promise.withResolvers<never>()
    const leave = () => {
      if (--work.waiting === 0) this.#abandon(key, work, signal.reason)
      reject(signal.reason)
    }
    work.waiting++
    signal.addEventListener('abort', leave, { once: true })
    try {
      return await Promise.race([work.result, left])
    } finally {
      signal.removeEventListener('abort', leave)
    }
  }

  #begin(key: Key, begin: (signal: AbortSignal) => Promise<Result>): Work<Result> {
    const abort = new AbortController()
    const work: Work<Result> = { result: begin(abort.signal), abort, waiting: 0 }
    this.#inFlight.set(key, work)
    const forget = () => this.#inFlight.get(key) === work && this.#inFlight.delete(key)
    work.result.then(forget, forget)
    return work
  }

  #abandon(key: Key, work: Work<Result>, reason: unknown): void {
    if (this.#inFlight.get(key) === work) this.#inFlight.delete(key)
    work.abort.abort(reason)
  }
}

interface Work<Result> {
  readonly result: Promise<Result>
  readonly abort: AbortController
  waiting: number
}
