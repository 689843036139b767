export interface SortedRun {
  readonly values: Float64Array
  readonly weights: Float64Array
}

/** Merges neighbouring runs until one is left, which is much faster than sorting values that are mostly in order. */
export function mergeRuns(runs: readonly SortedRun[]): SortedRun {
  let ends: number[] = []
  let size = 0
  const most = runs.reduce((sum, { values }) => sum + values.length, 0)
  let [from, to] = [newRun(most), newRun(most)]
  for (const { values, weights } of runs) {
    from.values.set(values, size)
    from.weights.set(weights, size)
    size += values.length
    ends.push(size)
  }
  while (ends.length > 1) {
    const next: number[] = []
    size = 0
    for (let i = 0; i < ends.length; i += 2) {
      const [start, middle] = [i === 0 ? 0 : ends[i - 1]!, ends[i]!]
      size = mergeTwo(from, start, middle, ends[i + 1] ?? middle, to, size)
      next.push(size)
    }
    ends = next
    const other = from
    from = to
    to = other
  }
  return { values: from.values.slice(0, size), weights: from.weights.slice(0, size) }
}

export function runOf(values: Float64Array, weights: Float64Array): SortedRun {
  for (let i = 1; i < values.length; i++) {
    if (values[i]! >= values[i - 1]!) continue
    const order = Uint32Array.from(values, (_, at) => at).sort((a, b) => values[a]! - values[b]!)
    return {
      values: Float64Array.from(order, (at) => values[at]!),
      weights: Float64Array.from(order, (at) => weights[at]!),
    }
  }
  return { values, weights }
}

/**
 * Merges two neighbouring runs and adds up the weights of equal values. Returns the index after the last value written.
 */
function mergeTwo(
  { values, weights }: SortedRun,
  start: number,
  middle: number,
  end: number,
  to: SortedRun,
  written: number,
): number {
  let [i, j, size] = [start, middle, written]
  let last = Number.NaN
  while (i < middle || j < end) {
    const at = j >= end || (i < middle && values[i]! <= values[j]!) ? i++ : j++
    const value = values[at]!
    if (value === last) {
      to.weights[size - 1]! += weights[at]!
      continue
    }
    to.values[size] = value
    to.weights[size++] = weights[at]!
    last = value
  }
  return size
}

const newRun = (size: number): SortedRun => ({
  values: new Float64Array(size),
  weights: new Float64Array(size),
})
