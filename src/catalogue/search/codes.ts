import type { Need } from '../../domain/need.ts'
import { architectureNames } from '../columns/columns.ts'

const single = new Float32Array(1)
const bits = new Uint32Array(single.buffer)

/** The bits of the greatest single-precision number that is not above a number from 0; they sort as the numbers do. */
export function bitsRoundedDown(value: number): number {
  single[0] = Math.abs(value)
  if (single[0]! > value) bits[0]!--
  return bits[0]!
}

/**
 * A price as two bytes that sort as prices do: the bits of a single-precision number, from those of the least code up,
 * in steps of 4096, which is a twentieth of a percent. What is outside of a millionth to 4096 dollars shares the ends.
 * A greater code is a greater price; equal codes leave the order open.
 */
export function priceCode(price: number): number {
  const steps = (bitsRoundedDown(price) - leastBits) >> stepShift
  return steps < 0 ? 0 : Math.min(steps, mostCode)
}

const leastBits = bitsRoundedDown(2 ** -20)
const stepShift = 12
const mostCode = 0xffff

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

/** Bit a is set where architecture a is let through. */
export function architecturesOf({ architectures }: Need): number {
  if (architectures === undefined) return ~0
  let bits = 1 << architectureNames.indexOf('')
  for (const name of architectures) bits |= 1 << architectureNames.indexOf(name)
  return bits
}
