/** Weighted values, least first, each with a mark of where it came from. */
export interface Run {
  readonly values: Float64Array
  readonly weights: Float64Array
  readonly marks: Int32Array
}

/** Runs as one, by merging neighbours until one is left: much faster than sorting what is mostly in order. */
export function mergeRuns(runs: readonly Run[]): Run {
  let left = runs
  while (left.length > 1) {
    const next: Run[] = []
    for (let i = 0; i < left.length; i += 2)
      next.push(i + 1 < left.length ? mergeTwo(left[i]!, left[i + 1]!) : left[i]!)
    left = next
  }
  return left[0] ?? { values: new Float64Array(), weights: new Float64Array(), marks: new Int32Array() }
}

/** A part of columns as a run, put in order where it is not. */
export function runOf(values: Float64Array, weights: Float64Array, mark: number): Run {
  const marks = new Int32Array(values.length).fill(mark)
  for (let i = 1; i < values.length; i++) {
    if (values[i]! >= values[i - 1]!) continue
    const order = Uint32Array.from(values, (_, at) => at).sort((a, b) => values[a]! - values[b]!)
    return {
      values: Float64Array.from(order, (at) => values[at]!),
      weights: Float64Array.from(order, (at) => weights[at]!),
      marks,
    }
  }
  return { values, weights, marks }
}

/** Equal values of one mark become one. */
function mergeTwo(a: Run, b: Run): Run {
  const most = a.values.length + b.values.length
  const values = new Float64Array(most)
  const weights = new Float64Array(most)
  const marks = new Int32Array(most)
  let [i, j, size] = [0, 0, 0]
  while (i < a.values.length || j < b.values.length) {
    const fromA = j >= b.values.length || (i < a.values.length && a.values[i]! <= b.values[j]!)
    const from = fromA ? a : b
    const index = fromA ? i++ : j++
    if (size > 0 && values[size - 1] === from.values[index] && marks[size - 1] === from.marks[index]) {
      weights[size - 1]! += from.weights[index]!
      continue
    }
    values[size] = from.values[index]!
    weights[size] = from.weights[index]!
    marks[size++] = from.marks[index]!
  }
  return {
    values: values.subarray(0, size),
    weights: weights.subarray(0, size),
    marks: marks.subarray(0, size),
  }
}
