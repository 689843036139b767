import { gridSize, logMultiples } from './grid.ts'

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
