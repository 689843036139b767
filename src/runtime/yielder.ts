import { setImmediate as nextTurn } from 'node:timers/promises'

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
    this.#signal?.throwIfAborted()
    this.#sinceMs = performance.now()
  }
}
