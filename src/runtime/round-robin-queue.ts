/** Work of many, one piece of each in turn: who has much of it keeps no other waiting for all of it. */
export class RoundRobinQueue {
  readonly #waiting = new Map<string, (() => void)[]>()
  #isDue = false

  /** Runs the next owner's work in turn; never before this call returns. */
  add(who: string, work: () => void): void {
    const waiting = this.#waiting.get(who)
    if (waiting === undefined) this.#waiting.set(who, [work])
    else waiting.push(work)
    this.#plan()
  }

  /** One piece for each turn of the event loop, so that others who wait are noticed between two. */
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
