const single = new Float32Array(1)
const bits = new Uint32Array(single.buffer)

/** The least single-precision number that is not below a number from 0; -1 for NaN. */
export function roundedUp(value: number): number {
  if (Number.isNaN(value)) return -1
  single[0] = value
  if (single[0]! < value) bits[0]!++
  return single[0]!
}

/** The bits of the greatest single-precision number that is not above a number from 0. */
export function bitsRoundedDown(value: number): number {
  single[0] = Math.abs(value)
  if (single[0]! > value) bits[0]!--
  return bits[0]!
}
