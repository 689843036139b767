/** What a known series is not: one that was looked at, and whose samples are of no use here. */
export const ignored = -1
export const unknown = -2

/**
 * From the hash of a series' labels to its number, so that a known series costs no decoding of text.
 * Open addressing, linear probing, at most half full. Series that were not seen for two epochs are let go when it fills.
 */
export class SeriesTable {
  size = 0
  #high = new Uint32Array(initial)
  #low = new Uint32Array(initial)
  /** Number + 3, or 0 for an empty place. */
  #values = new Uint32Array(initial)
  #seen = new Uint32Array(initial)

  find(high: number, low: number, epoch: number): number {
    const mask = this.#values.length - 1
    for (let place = low & mask; ; place = (place + 1) & mask) {
      const value = this.#values[place]!
      if (value === 0) return unknown
      if (this.#low[place] === low && this.#high[place] === high) {
        this.#seen[place] = epoch
        return value - 3
      }
    }
  }

  set(high: number, low: number, number: number, epoch: number): void {
    if (this.size * 2 >= this.#values.length) this.forgetBefore(epoch)
    this.#put(high, low, number + 3, epoch)
    this.size++
  }

  clear(): void {
    this.#allocate(initial)
  }

  #put(high: number, low: number, value: number, epoch: number): void {
    const mask = this.#values.length - 1
    let place = low & mask
    while (this.#values[place] !== 0) place = (place + 1) & mask
    this.#high[place] = high
    this.#low[place] = low
    this.#values[place] = value
    this.#seen[place] = epoch
  }

  /** Lets go what was not seen in this epoch or the one before, and makes room. */
  forgetBefore(epoch: number): void {
    const [highs, lows, values, seen] = [this.#high, this.#low, this.#values, this.#seen]
    const live = values.reduce(
      (count, value, place) => count + (value !== 0 && seen[place]! + 2 > epoch ? 1 : 0),
      0,
    )
    this.#allocate(live * 4 > values.length ? values.length * 2 : values.length)
    for (let place = 0; place < values.length; place++) {
      if (values[place] === 0 || seen[place]! + 2 <= epoch) continue
      this.#put(highs[place]!, lows[place]!, values[place]!, seen[place]!)
      this.size++
    }
  }

  #allocate(length: number): void {
    this.size = 0
    this.#high = new Uint32Array(length)
    this.#low = new Uint32Array(length)
    this.#values = new Uint32Array(length)
    this.#seen = new Uint32Array(length)
  }
}

const initial = 1024
