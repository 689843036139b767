/**
 * Maps non-negative integers to non-negative integers in one array. A pair is at the index that the hash of its key
 * gives, or in the next free one. A lookup touches one cache line, where a Map takes three, and an array as long as the
 * price list would be mostly empty.
 */
export class IntMap {
  #pairs = new Int32Array(0)
  #shift = 0
  #count = 0

  constructor() {
    this.clear()
  }

  /** Returns -1 if the key is not there. */
  find(key: number): number {
    const pairs = this.#pairs
    const last = pairs.length - 2
    for (let at = this.#startOf(key); ; at = (at + 2) & last) {
      if (pairs[at] === key) return pairs[at + 1]!
      if (pairs[at] === noKey) return -1
    }
  }

  /** The key must not be there yet. */
  add(key: number, value: number): void {
    if (this.#count * 4 >= this.#pairs.length) this.#grow()
    const last = this.#pairs.length - 2
    let at = this.#startOf(key)
    while (this.#pairs[at] !== noKey) at = (at + 2) & last
    this.#pairs[at] = key
    this.#pairs[at + 1] = value
    this.#count++
  }

  clear(): void {
    this.#shift = 32 - minBits
    this.#count = 0
    this.#pairs = new Int32Array(2 << minBits).fill(noKey)
  }

  #grow(): void {
    const before = this.#pairs
    this.#shift--
    this.#count = 0
    this.#pairs = new Int32Array(before.length * 2).fill(noKey)
    for (let at = 0; at < before.length; at += 2)
      if (before[at] !== noKey) this.add(before[at]!, before[at + 1]!)
  }

  #startOf(key: number): number {
    return (Math.imul(key, hashMultiplier) >>> this.#shift) << 1
  }
}

const noKey = -1
const minBits = 8
/** 2^32 divided by the golden ratio: multiplying by it spreads neighbouring keys. */
const hashMultiplier = 0x9e3779b1
