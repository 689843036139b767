import { ByteBudget } from '../runtime/byte-budget.ts'
import { StoreUnavailable } from '../store/port.ts'
import type { JournalEntry, UsageStore } from '../usage/port.ts'

/** Too much is waiting to be written; the request should be sent again later. */
export class Overloaded extends Error {
  override readonly name = 'Overloaded'
}

/** One fsync for many requests: those that arrive while a transaction is written are collected for the next. */
export class GroupCommit {
  readonly #append: UsageStore['append']
  readonly #budget: ByteBudget
  #waiting: Waiting[] = []
  #writing: Promise<void> | undefined
  transactions = 0

  constructor(append: UsageStore['append'], maxWaitingBytes = 64 << 20) {
    this.#append = append
    this.#budget = new ByteBudget(maxWaitingBytes)
  }

  get waitingBytes(): number {
    return this.#budget.bytes
  }

  /** Resolves with its sequence number when the entry is durable; rejects with Overloaded or with the error of the store. */
  add(entry: JournalEntry): Promise<number> {
    if (!this.#budget.reserve(entry.partition.organisation, entry.body.length))
      return Promise.reject(new Overloaded('the write queue is full'))
    const result = Promise.withResolvers<number>()
    this.#waiting.push({ entry, result })
    this.#writing ??= this.#writeAll()
    return result.promise
  }

  async idle(): Promise<void> {
    while (this.#writing !== undefined) await this.#writing
  }

  async #writeAll(): Promise<void> {
    // The parts of a request are added one after the other, and belong in the same transaction.
    await undefined
    for (let group = this.#next(); group.length > 0; group = this.#next()) {
      await this.#write(group)
      for (const { entry } of group) this.#budget.release(entry.partition.organisation, entry.body.length)
    }
    // Must be in the same tick as the empty check: an entry that arrives later must not wait for a writer that has ended.
    this.#writing = undefined
  }

  async #write(group: readonly Waiting[]): Promise<void> {
    this.transactions++
    try {
      const sequences = await this.#append(group.map(({ entry }) => entry))
      for (const [index, { result }] of group.entries()) result.resolve(sequences[index]!)
    } catch (error) {
      // Entries of many organisations share a transaction: an invalid entry is reported only to its own sender.
      if (group.length > 1 && !(error instanceof StoreUnavailable))
        for (const waiting of group) await this.#write([waiting])
      else for (const { result } of group) result.reject(error)
    }
  }

  #next(): Waiting[] {
    let count = 0
    for (let bytes = 0; count < this.#waiting.length; count++) {
      bytes += this.#waiting[count]!.entry.body.length
      if (bytes > groupBytes && count > 0) break
    }
    return this.#waiting.splice(0, count)
  }
}

interface Waiting {
  readonly entry: JournalEntry
  readonly result: PromiseWithResolvers<number>
}

const groupBytes = 16 << 20
