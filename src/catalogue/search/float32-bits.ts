const single = new Float32Array(1)
const bits = new Uint32Array(single.buffer)

/** The bits of the greatest single-precision number that is not above a number from 0; they sort as the numbers do. */
export function bitsRoundedDown(value: number): number {
  single[0] = Math.abs(value)
  if (single[0]! > value) bits[0]!--
  return bits[0]!
}
