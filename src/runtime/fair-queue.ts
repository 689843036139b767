/** How many slots there are, and how many callers may wait for one. */
interface FairQueueLimits {
  /** Number of slots that all owners share. */
  readonly slots: number
  readonly slotsPerOwner: number
  readonly waitingPerOwner: number
}

/** Too many callers of the owner are already waiting. */
export class QueueFull extends Error {
  override readonly name = 'QueueFull'
}

/**
 * Limits how much work runs at the same time, and shares the slots fairly between owners. Nobody waits while a slot is free
 * that its owner may use. Waiting owners take turns, and callers of one owner are served in order of arrival.
 * RoundRobinQueue below has no limit: it only decides the order in which work starts.
 */
export class FairQueue {
  readonly #limits: FairQueueLimits
  readonly #inFlight = new Map<string, number>()
  /** Waiting callers by owner. The owner whose turn is next comes first. No list is empty. */
  readonly #waiting = new Map<string, Waiting[]>()
  #used = 0

  constructor(limits: FairQueueLimits) {
    this.#limits = limits
  }

  get inFlight(): number {
    return this.#used
  }

  get waiting(): number {
    let count = 0
    for (const { length } of this.#waiting.values()) count += length
    return count
  }

  /**
   * Resolves to a function that releases the slot, which the caller must call in any case; calling it again does nothing.
   * Rejects with QueueFull at once, or with the signal's reason if the signal fires before a slot is free. With `isBegun`,
   * work that had a slot before waits however many others do.
   */
  async enter(owner: string, signal: AbortSignal, isBegun = false): Promise<() => void> {
    signal.throwIfAborted()
    if (this.#mayStart(owner)) return this.#start(owner)
    const queue = this.#waiting.get(owner) ?? []
    if (!isBegun && queue.length >= this.#limits.waitingPerOwner) throw new QueueFull('too many wait already')
    const { promise, resolve, reject } = Promise.withResolvers<() => void>()
    const waiting = { resolve, signal, leave: () => this.#leave(owner, waiting, reject) }
    signal.addEventListener('abort', waiting.leave, { once: true })
    queue.push(waiting)
    this.#waiting.set(owner, queue)
    return promise
  }

  #mayStart(owner: string): boolean {
    return this.#used < this.#limits.slots && (this.#inFlight.get(owner) ?? 0) < this.#limits.slotsPerOwner
  }

  #start(owner: string): () => void {
    this.#used++
    this.#inFlight.set(owner, (this.#inFlight.get(owner) ?? 0) + 1)
    let isHeld = true
    return () => {
      if (!isHeld) return
      isHeld = false
      this.#end(owner)
    }
  }

  #end(owner: string): void {
    this.#used--
    const left = this.#inFlight.get(owner)! - 1
    if (left === 0) this.#inFlight.delete(owner)
    else this.#inFlight.set(owner, left)
    for (const [next, queue] of this.#waiting) {
      if (!this.#mayStart(next)) continue
      const { resolve, signal, leave } = queue.shift()!
      signal.removeEventListener('abort', leave)
      // The owner moves to the end of the map: all others come before its next turn.
      this.#waiting.delete(next)
      if (queue.length > 0) this.#waiting.set(next, queue)
      resolve(this.#start(next))
      return
    }
  }

  #leave(owner: string, waiting: Waiting, reject: (reason: unknown) => void): void {
    const queue = this.#waiting.get(owner)!
    queue.splice(queue.indexOf(waiting), 1)
    if (queue.length === 0) this.#waiting.delete(owner)
    reject(waiting.signal.reason)
  }
}

interface Waiting {
  readonly signal: AbortSignal
  resolve(release: () => void): void
  leave(): void
}

/** One piece per turn of the event loop. Work that has started is not waited for; FairQueue limits how much runs. */
export class RoundRobinQueue {
  readonly #waiting = new Map<string, (() => void)[]>()
  #isDue = false

  /** The work never starts before this call returns. */
  add(owner: string, work: () => void): void {
    const waiting = this.#waiting.get(owner)
    if (waiting === undefined) this.#waiting.set(owner, [work])
    else waiting.push(work)
    this.#plan()
  }

  /** Starts one piece in the next turn of the event loop, so that requests that arrive meanwhile are handled too. */
  #plan(): void {
    if (this.#isDue || this.#waiting.size === 0) return
    this.#isDue = true
    setImmediate(() => {
      this.#isDue = false
      const [owner, waiting] = this.#waiting.entries().next().value!
      const work = waiting.shift()!
      this.#waiting.delete(owner)
      if (waiting.length > 0) this.#waiting.set(owner, waiting)
      this.#plan()
      work()
    })
  }
}
