import { firstSpanWithin, type HistoryView } from './history.ts'

/**
 * The quantile of the last hours of a view, interpolated linearly between two ranks as spreadsheets and numpy do; null
 * without usage. Weights must be counts. It reads the values from the largest down, because only high quantiles are wanted.
 */
export function windowQuantile(view: HistoryView, windowHours: number, q: number): number | null {
  const { offsets, values, weights } = view.history
  const first = firstSpanWithin(view, windowHours)
  let total = 0
  for (let entry = offsets[first]!; entry < offsets[view.spans]!; entry++) total += weights[entry]!
  if (!(total > 0)) return null
  const rank = q * (total - 1)
  const lower = Math.floor(rank)
  let [above, low, high] = [0, 0, Number.NaN]
  const largest = new LargestFirst(values, offsets, first, view.spans)
  while (above < total - lower) {
    const entry = largest.take()
    if (entry < 0) break
    low = values[entry]!
    if (above < total - lower - 1) high = low
    above += weights[entry]!
  }
  return Number.isNaN(high) ? low : low + (high - low) * (rank - lower)
}

/** Takes the entries of several spans from the largest value down, with a heap of the largest that is left of each span. */
class LargestFirst {
  readonly #values: Float64Array
  readonly #starts: number[] = []
  readonly #heap: number[] = []

  constructor(values: Float64Array, offsets: Uint32Array, from: number, to: number) {
    this.#values = values
    for (let span = from; span < to; span++) {
      if (offsets[span + 1] === offsets[span]) continue
      this.#heap.push(offsets[span + 1]! - 1)
      this.#starts.push(offsets[span]!)
    }
    for (let at = this.#heap.length >> 1; at >= 0; at--) this.#sink(at)
  }

  take(): number {
    const [heap, starts] = [this.#heap, this.#starts]
    if (heap.length === 0) return -1
    const entry = heap[0]!
    if (entry > starts[0]!) heap[0] = entry - 1
    else {
      const [last, start] = [heap.pop()!, starts.pop()!]
      if (heap.length === 0) return entry
      heap[0] = last
      starts[0] = start
    }
    this.#sink(0)
    return entry
  }

  #sink(from: number): void {
    const [heap, starts, values] = [this.#heap, this.#starts, this.#values]
    const [entry, start] = [heap[from]!, starts[from]!]
    if (entry === undefined) return
    const value = values[entry]!
    let at = from
    for (let child = at * 2 + 1; child < heap.length; child = at * 2 + 1) {
      if (child + 1 < heap.length && values[heap[child + 1]!]! > values[heap[child]!]!) child++
      if (values[heap[child]!]! <= value) break
      heap[at] = heap[child]!
      starts[at] = starts[child]!
      at = child
    }
    heap[at] = entry
    starts[at] = start
  }
}
