import { bitsRoundedDown } from './float32-bits.ts'

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
