import { setImmediate as nextTurn } from 'node:timers/promises'

const workMs = 8

/** Lets others in between: work that waits for nothing would hold up every other caller. */
export class Breath {
  #since = performance.now()

  /** True if it is time to take one. */
  get due(): boolean {
    return performance.now() - this.#since >= workMs
  }

  async take(): Promise<void> {
    await nextTurn()
    this.#since = performance.now()
  }
}
