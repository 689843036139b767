/**
 * Sizes a request is chosen from, as logarithms of multiples of a series' base: 0.6% apart near the base, where most
 * answers lie, then 7% of their distance apart, up to eleven times the base and down to an eleventh.
 */
export const logMultiples = buildGrid()
export const multiples = logMultiples.map(Math.exp)
export const gridSize = logMultiples.length
/** From each multiple to the next. */
const steps = multiples.map((multiple, k) => (multiples[k + 1] ?? multiple) - multiple)

/** A bucket's value represents samples up to 1% around it: a third each at these. */
const aroundBucket = [1 - 0.02 / 3, 1, 1 + 0.02 / 3] as const

/** For each multiple, the share of the weight above base x multiple. Values ascend and are buckets; the peak is exact. */
export function exceedance(
  values: Float64Array,
  weights: Float64Array,
  peak: number,
  base: number,
): Float32Array {
  const shares = new Float32Array(gridSize)
  let total = 0
  for (const weight of weights) total += weight
  for (const part of aroundBucket) {
    let [next, above] = [values.length - 1, 0]
    for (let k = gridSize - 1; k >= 0; k--) {
      const size = base * multiples[k]!
      while (next >= 0 && values[next]! * part > size) above += weights[next--]!
      if (size < peak) shares[k]! += above / total / aroundBucket.length
    }
  }
  return shares
}

/** For each multiple, 1 where the peak lies above base x multiple. */
export function peakExceedance(peak: number, base: number): Float32Array {
  return Float32Array.from(multiples, (multiple) => (peak > base * multiple ? 1 : 0))
}

/**
 * Mean usage above base x multiple, in bases: the integral of the share above.
 * A share of 0.5 up to the base and 0 beyond it gives 0.25 at half the base. Worked out as far as shares are at most `most`.
 */
export function excess(
  shares: Float32Array,
  most = 1,
  sums: Float64Array = new Float64Array(gridSize),
): Float64Array {
  sums[gridSize - 1] = 0
  for (let k = gridSize - 2; k >= 0 && !(shares[k]! > most); k--)
    sums[k] = sums[k + 1]! + ((shares[k]! + shares[k + 1]!) / 2) * steps[k]!
  return sums
}

/** The largest grid point not above the logarithm of a multiple. */
export function gridBelow(logMultiple: number): number {
  let [low, high] = [0, gridSize - 1]
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (logMultiples[middle]! <= logMultiple) low = middle
    else high = middle - 1
  }
  return low
}

function buildGrid(): Float64Array {
  const up = [0]
  while (up.at(-1)! < 2.4) up.push(up.at(-1)! + Math.max(0.006, 0.07 * up.at(-1)!))
  return Float64Array.from([...up.slice(1).map((x) => -x), ...up]).sort()
}
