import { setImmediate as nextTurn } from 'node:timers/promises'

const workMs = 8

/** Resolves when nobody's request is in progress: for work that nobody waits for. */
export type GiveWay = () => Promise<void>

/** Lets other callers in between the steps of long work, and ends the work of a caller that went away. */
export class Yielder {
  #sinceMs = performance.now()
  readonly #signal: AbortSignal | undefined
  readonly #giveWay: GiveWay | undefined

  constructor(signal?: AbortSignal, giveWay?: GiveWay) {
    this.#signal = signal
    this.#giveWay = giveWay
  }

  /** True if it is time to pause. */
  get isDue(): boolean {
    return performance.now() - this.#sinceMs >= workMs
  }

  /** Rejects with the signal's reason when the result is no longer needed. */
  async pause(): Promise<void> {
    await nextTurn()
    await this.#giveWay?.()
    this.#signal?.throwIfAborted()
    this.#sinceMs = performance.now()
  }
}
