import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises'

const workMs = 8

/** Lets other callers in between the steps of long work, and ends the work of a caller that went away. */
export class Yielder {
  #sinceMs = performance.now()
  readonly #signal: AbortSignal | undefined

  constructor(signal?: AbortSignal) {
    this.#signal = signal
  }

  /** True if it is time to pause. */
  get isDue(): boolean {
    return performance.now() - this.#sinceMs >= workMs
  }

  /** Rejects with the signal's reason when the result is no longer needed. */
  async pause(): Promise<void> {
    await nextTurn()
    await BackgroundWork.current?.standBack()
    this.#signal?.throwIfAborted()
    this.#sinceMs = performance.now()
  }
}

const waitMs = 50
const current = new AsyncLocalStorage<BackgroundWork>()

/** Work that nobody waits for. It pauses while others work, unless one of them waits for a part of it. */
export class BackgroundWork {
  readonly #isBusy: () => boolean
  readonly #signal: AbortSignal
  #waiting = 0
  #pausedMs = 0

  constructor(isBusy: () => boolean, signal: AbortSignal) {
    this.#isBusy = isBusy
    this.#signal = signal
  }

  /** What the caller is part of; undefined for work that somebody waits for. */
  static get current(): BackgroundWork | undefined {
    return current.getStore()
  }

  /** How long it paused so far. */
  get pausedMs(): number {
    return this.#pausedMs
  }

  run<Result>(work: () => Promise<Result>): Promise<Result> {
    return current.run(this, work)
  }

  /** Does not pause until the part is there, if the caller is not part of the same work. */
  hurryUntil(part: Promise<unknown>): void {
    if (BackgroundWork.current === this) return
    this.#waiting++
    const done = () => {
      this.#waiting--
    }
    part.then(done, done)
  }

  async standBack(): Promise<void> {
    const startedMs = performance.now()
    while (this.#waiting === 0 && this.#isBusy() && !this.#signal.aborted)
      await delay(waitMs, undefined, { signal: this.#signal }).catch(() => undefined)
    this.#pausedMs += performance.now() - startedMs
  }
}
