/**
 * Starts work of several owners in turn, one piece per turn of the event loop, so that an owner with much work does not delay
 * the others. Work that has started is not waited for; FairQueue limits how much runs at the same time.
 */
export class RoundRobinQueue {
  readonly #waiting = new Map<string, (() => void)[]>()
  #isDue = false

  /** The work never starts before this call returns. */
  add(who: string, work: () => void): void {
    const waiting = this.#waiting.get(who)
    if (waiting === undefined) this.#waiting.set(who, [work])
    else waiting.push(work)
    this.#plan()
  }

  /** Requests that arrive between two pieces get their turn. */
  #plan(): void {
    if (this.#isDue || this.#waiting.size === 0) return
    this.#isDue = true
    setImmediate(() => {
      this.#isDue = false
      const [who, waiting] = this.#waiting.entries().next().value!
      const work = waiting.shift()!
      this.#waiting.delete(who)
      if (waiting.length > 0) this.#waiting.set(who, waiting)
      this.#plan()
      work()
    })
  }
}
