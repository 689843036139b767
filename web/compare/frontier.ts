export interface Point {
  readonly size: number
  readonly price: number
}

/** The points that no other is at least as large and at most as dear as, smallest first: what more size costs at least. */
export function frontierOf<P extends Point>(points: readonly P[]): P[] {
  const largestFirst = [...points].sort((a, b) => b.size - a.size || a.price - b.price)
  const kept: P[] = []
  let least = Number.POSITIVE_INFINITY
  for (const point of largestFirst) {
    if (point.price >= least) continue
    least = point.price
    kept.push(point)
  }
  return kept.reverse()
}
