export interface Point {
  readonly size: number
  readonly price: number
}

/**
 * Returns the points for which no other point is at least as large at the same or a lower price, smallest first: the
 * minimum price of each size.
 */
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
