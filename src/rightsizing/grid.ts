/**
 * Sizes a request is chosen from, as logarithms of multiples of a series' base: 0.6% apart near the base, where most
 * answers lie, then 7% of their distance apart, up to eleven times the base and down to an eleventh.
 */
export const logMultiples = buildGrid()
export const multiples = logMultiples.map(Math.exp)
export const gridSize = logMultiples.length

/** For each multiple, the share of the weight above base x multiple. Values ascend. */
export function exceedance(values: Float64Array, weights: Float64Array, base: number): Float32Array {
  const shares = new Float32Array(gridSize)
  let total = 0
  for (const weight of weights) total += weight
  let [next, above] = [values.length - 1, 0]
  for (let k = gridSize - 1; k >= 0; k--) {
    const size = base * multiples[k]!
    while (next >= 0 && values[next]! > size) above += weights[next--]!
    shares[k] = total > 0 ? above / total : 0
  }
  return shares
}

/**
 * Mean usage above base x multiple, in bases: the integral of the share above.
 * A share of 0.5 up to the base and 0 beyond it gives 0.25 at half the base.
 */
export function excess(shares: ArrayLike<number>): Float64Array {
  const sums = new Float64Array(gridSize)
  for (let k = gridSize - 2; k >= 0; k--)
    sums[k] = sums[k + 1]! + ((shares[k]! + shares[k + 1]!) / 2) * (multiples[k + 1]! - multiples[k]!)
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
