/**
 * Encodes a price in two bytes that sort as prices do: the bits of a single-precision number, counted from those of the
 * lowest price in steps of 4096, which is a twentieth of a percent. Prices below a millionth or above 4096 dollars get
 * the lowest or the highest code. A greater code means a greater price; equal codes say nothing about the order.
 */
export class PriceCodes {
  readonly #single = new Float32Array(1)
  readonly #bits = new Uint32Array(this.#single.buffer)
  readonly #minBits = this.#bitsRoundedDown(2 ** -20)

  codeOf(price: number): number {
    const steps = (this.#bitsRoundedDown(price) - this.#minBits) >> stepShift
    return steps < 0 ? 0 : Math.min(steps, maxCode)
  }

  /**
   * Returns the bits of the greatest single-precision number that is not above a non-negative number. The
   * bits sort as the numbers do.
   */
  #bitsRoundedDown(value: number): number {
    this.#single[0] = Math.abs(value)
    if (this.#single[0]! > value) this.#bits[0]!--
    return this.#bits[0]!
  }
}

const stepShift = 12
const maxCode = 0xffff

/**
 * Encodes sizes in one byte each: 1 for the smallest size, 2 for the next, and so on; 0 for none. If there are more sizes
 * than codes, neighbours share one: what a code rules out is too small, and what it lets through must be checked again.
 */
export class SizeCodes {
  /** The largest size of each code from 1, ascending. */
  readonly #largest: number[]
  /** Whether each size has a code of its own. */
  readonly isExact: boolean

  constructor(sizes: Iterable<number>) {
    const distinct = [...new Set(sizes)].filter((size) => size >= 0).sort((a, b) => a - b)
    const each = Math.max(1, Math.ceil(distinct.length / maxCodes))
    this.isExact = each === 1
    this.#largest = distinct.filter((_, i) => (i + 1) % each === 0 || i === distinct.length - 1)
  }

  /** Returns the code of the smallest size that is enough, or a code above all others if none is. */
  codeOf(size: number): number {
    let low = 0
    let high = this.#largest.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.#largest[middle]! < size) low = middle + 1
      else high = middle
    }
    return low + 1
  }
}

const maxCodes = 255
