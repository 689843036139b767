import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises'

const workMs = 8

/** Lets other requests run between the steps of long work, and ends the work if its caller has disconnected. */
export class Yielder {
  #sinceMs = performance.now()
  readonly #signal: AbortSignal | undefined

  constructor(signal?: AbortSignal) {
    this.#signal = signal
  }

  /** Whether the work has run long enough to pause. */
  get isDue(): boolean {
    return performance.now() - this.#sinceMs >= workMs
  }

  /** Rejects with the signal's reason when the result is no longer needed. */
  async pause(): Promise<void> {
    await nextTurn()
    await BackgroundWork.current?.pauseWhileBusy()
    this.#signal?.throwIfAborted()
    this.#sinceMs = performance.now()
  }
}

const waitMs = 50
const current = new AsyncLocalStorage<BackgroundWork>()

/**
 * Work that no request waits for. It pauses while requests are in progress, unless one of them needs a part of its result.
 */
export class BackgroundWork {
  readonly #isBusy: () => boolean
  readonly #signal: AbortSignal
  #waiting = 0
  #pausedMs = 0

  constructor(isBusy: () => boolean, signal: AbortSignal) {
    this.#isBusy = isBusy
    this.#signal = signal
  }

  /** The background work that the calling code belongs to; undefined for the work of a request. */
  static get current(): BackgroundWork | undefined {
    return current.getStore()
  }

  /** Total duration of its pauses so far. */
  get pausedMs(): number {
    return this.#pausedMs
  }

  run<Result>(work: () => Promise<Result>): Promise<Result> {
    return current.run(this, work)
  }

  /** Stops pausing until the part is ready. Has no effect if the calling code belongs to the same work. */
  avoidPausesUntil(part: Promise<unknown>): void {
    if (BackgroundWork.current === this) return
    this.#waiting++
    const done = () => {
      this.#waiting--
    }
    part.then(done, done)
  }

  async pauseWhileBusy(): Promise<void> {
    const startedMs = performance.now()
    while (this.#waiting === 0 && this.#isBusy() && !this.#signal.aborted)
      await delay(waitMs, undefined, { signal: this.#signal }).catch(() => undefined)
    this.#pausedMs += performance.now() - startedMs
  }
}
