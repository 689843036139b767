import { setImmediate as nextTurn } from 'node:timers/promises'
import { BackgroundWork } from './background-work.ts'

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
