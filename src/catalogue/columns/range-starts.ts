/** The last i whose range [starts[i], starts[i + 1]) begins at or before the position and is not empty. */
export function rangeIndexAt(starts: Uint32Array, position: number): number {
  let low = 0
  let high = starts.length - 1
  while (high - low > 1) {
    const middle = (low + high) >>> 1
    if (starts[middle]! <= position) low = middle
    else high = middle
  }
  return low
}
