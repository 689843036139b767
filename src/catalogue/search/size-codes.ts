/**
 * Sizes as one byte each: 1 for the smallest there is, and so on; 0 for none. Where there are more sizes than bytes,
 * neighbours share one, so that what a code rules out is out, and what it lets through is looked at again.
 */
export class SizeCodes {
  /** The largest size of each code from 1, ascending. */
  readonly #largest: number[]
  /** Whether each size has a code of its own. */
  readonly isExact: boolean

  constructor(sizes: Iterable<number>) {
    const distinct = [...new Set(sizes)].filter((size) => size >= 0).sort((a, b) => a - b)
    const each = Math.max(1, Math.ceil(distinct.length / mostCodes))
    this.isExact = each === 1
    this.#largest = distinct.filter((_, i) => (i + 1) % each === 0 || i === distinct.length - 1)
  }

  /** The code of the least size that is enough; above all codes where none is. */
  of(size: number): number {
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

const mostCodes = 255
