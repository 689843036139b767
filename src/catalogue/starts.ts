/** The last i whose range [starts[i], starts[i + 1]) begins at or before the position and is not empty. */
export function startBelow(starts: Uint32Array, position: number): number {
  let low = 0
  let high = starts.length - 1
  while (high - low > 1) {
    const middle = (low + high) >>> 1
    if (starts[middle]! <= position) low = middle
    else high = middle
  }
  return low
}

/** Where a sorted range of ids holds an id; -1 where it does not. */
export function positionOf(ids: ArrayLike<number>, from: number, to: number, id: number): number {
  let low = from
  let high = to
  while (low < high) {
    const middle = (low + high) >>> 1
    if (ids[middle]! < id) low = middle + 1
    else high = middle
  }
  return low < to && ids[low] === id ? low : -1
}
