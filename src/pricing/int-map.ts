/**
 * From whole numbers that are not negative to others like them, in one array: a look touches one cache line, where a Map
 * takes three and an array as long as the price list would mostly be empty. Pairs lie where a hash of the first says, or
 * after that.
 */
export class IntMap {
  #pairs = new Int32Array(0)
  #shift = 0
  #count = 0

  constructor() {
    this.clear()
  }

  /** -1 where there is none. */
  find(key: number): number {
    const pairs = this.#pairs
    const last = pairs.length - 2
    for (let at = this.#startOf(key); ; at = (at + 2) & last) {
      if (pairs[at] === key) return pairs[at + 1]!
      if (pairs[at] === nobody) return -1
    }
  }

  /** A key that is not there yet. */
  add(key: number, value: number): void {
    if (this.#count * 4 >= this.#pairs.length) this.#grow()
    const last = this.#pairs.length - 2
    let at = this.#startOf(key)
    while (this.#pairs[at] !== nobody) at = (at + 2) & last
    this.#pairs[at] = key
    this.#pairs[at + 1] = value
    this.#count++
  }

  clear(): void {
    this.#shift = 32 - fewestBits
    this.#count = 0
    this.#pairs = new Int32Array(2 << fewestBits).fill(nobody)
  }

  #grow(): void {
    const before = this.#pairs
    this.#shift--
    this.#count = 0
    this.#pairs = new Int32Array(before.length * 2).fill(nobody)
    for (let at = 0; at < before.length; at += 2)
      if (before[at] !== nobody) this.add(before[at]!, before[at + 1]!)
  }

  #startOf(key: number): number {
    return (Math.imul(key, scatter) >>> this.#shift) << 1
  }
}

const nobody = -1
const fewestBits = 8
/** 2^32 over the golden ratio, which spreads neighbours apart. */
const scatter = 0x9e3779b1
