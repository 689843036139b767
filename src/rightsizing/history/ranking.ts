import { firstSpanWithin, type HistoryView } from './history.ts'

/** The buckets of a window, least value first, each with its weight. */
interface Ranking {
  readonly values: Float64Array
  readonly weights: Float64Array
  readonly total: number
}

export function ranking(
  view: HistoryView,
  windowHours: number,
  weightOfSpan: (span: number) => number,
): Ranking {
  const { history, spans } = view
  const { order, spanOf } = history.ranks()
  const first = firstSpanWithin(view, windowHours)
  const spanWeights = Float64Array.from({ length: spans }, (_, i) => (i < first ? 0 : weightOfSpan(i)))
  const { values: known, weights: knownWeights } = history
  const values = new Float64Array(order.length)
  const weights = new Float64Array(order.length)
  let [size, total] = [0, 0]
  for (const entry of order) {
    const span = spanOf[entry]!
    if (span < first || span >= spans) continue
    const weight = knownWeights[entry]! * spanWeights[span]!
    values[size] = known[entry]!
    weights[size++] = weight
    total += weight
  }
  return { values: values.subarray(0, size), weights: weights.subarray(0, size), total }
}

/** Interpolates linearly between two ranks, as spreadsheets and numpy do. Weights must be counts. */
export function interpolatedQuantile({ values, weights, total }: Ranking, q: number): number | null {
  if (!(total > 0)) return null
  const rank = q * (total - 1)
  const lower = Math.floor(rank)
  let sum = 0
  let below: number | null = null
  for (let i = 0; i < values.length; i++) {
    sum += weights[i]!
    if (below === null && sum > lower) below = values[i]!
    if (below !== null && sum > lower + 1) return below + (values[i]! - below) * (rank - lower)
  }
  return below
}
