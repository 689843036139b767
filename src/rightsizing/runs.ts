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
  const [aValues, bValues] = [a.values, b.values]
  const [aSize, bSize] = [aValues.length, bValues.length]
  const values = new Float64Array(aSize + bSize)
  const weights = new Float64Array(aSize + bSize)
  const marks = new Int32Array(aSize + bSize)
  let [i, j, size] = [0, 0, 0]
  let lastValue = Number.NaN
  let lastMark = 0
  while (i < aSize || j < bSize) {
    const fromA = j >= bSize || (i < aSize && aValues[i]! <= bValues[j]!)
    const value = fromA ? aValues[i]! : bValues[j]!
    const mark = fromA ? a.marks[i]! : b.marks[j]!
    const weight = fromA ? a.weights[i++]! : b.weights[j++]!
    if (value === lastValue && mark === lastMark) {
      weights[size - 1]! += weight
      continue
    }
    values[size] = value
    weights[size] = weight
    marks[size++] = mark
    lastValue = value
    lastMark = mark
  }
  return {
    values: values.subarray(0, size),
    weights: weights.subarray(0, size),
    marks: marks.subarray(0, size),
  }
}
