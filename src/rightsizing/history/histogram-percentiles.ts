/** A way to weigh spans, and the shares whose percentiles are wanted, ascending. */
export interface SpanWeighting {
  readonly shares: readonly number[]
  /** By span; an excluded span stays in place with a weight of 0. */
  readonly weightOf: Float64Array
}

/** Weighted values, in columns; those of span i are offsets[i] to offsets[i + 1]. */
export interface SpanValues {
  readonly offsets: Uint32Array
  readonly values: Float64Array
  readonly weights: Float64Array
}

/**
 * Percentiles of the values of some spans, in no order, by several weighings at once: for each share the least value at or below which
 * lies that share of the weight. None where there are no values.
 * Values are weighed in bins by the leading bits of a double, which ascend as it does; where a percentile lies in a bin, the
 * values of that bin alone are put in order.
 */
export function percentilesOf(
  history: SpanValues,
  spans: Int32Array,
  from: number,
  to: number,
  weighings: readonly SpanWeighting[],
): number[][] {
  const width = weighings.length === 1 ? 1 : Math.max(leastWidth, weighings.length)
  ensureCapacity(history.values.length, width)
  for (let at = from; at < to; at++) weigh(history, spans[at]!, weighings, width)
  const size = listBins()
  const found = weighings.map((weighing, index) => percentilesBy(weighing, index, history, width, size))
  for (let at = 0; at < size; at++) {
    const bin = bins[at]!
    newest[bin] = none
    used[bin >>> 5] = 0
    for (let index = 0; index < width; index++) sums[bin * width + index] = 0
  }
  return found
}

function weigh(
  { offsets, values, weights }: SpanValues,
  span: number,
  weighings: readonly SpanWeighting[],
  width: number,
): void {
  for (let index = 0; index < weighings.length; index++) ofSpan[index] = weighings[index]!.weightOf[span]!
  const first = ofSpan[0]!
  const second = ofSpan[1]!
  const third = ofSpan[2]!
  const fourth = ofSpan[3]!
  const end = offsets[span + 1]!
  for (let entry = offsets[span]!; entry < end; entry++) {
    const bin = binOf(values[entry]!)
    used[bin >>> 5]! |= 1 << (bin & 31)
    spanOf[entry] = span
    before[entry] = newest[bin]!
    newest[bin] = entry
    const weight = weights[entry]!
    const at = bin * width
    sums[at]! += weight * first
    if (width === 1) continue
    // By hand, since these are the four that are always asked for.
    sums[at + 1]! += weight * second
    sums[at + 2]! += weight * third
    sums[at + 3]! += weight * fourth
    for (let index = leastWidth; index < width; index++) sums[at + index]! += weight * ofSpan[index]!
  }
}

/** Lists the bins that hold anything, ascending; how many they are. */
function listBins(): number {
  let size = 0
  for (let word = 0; word < used.length; word++)
    for (let bits = used[word]!; bits !== 0; bits &= bits - 1)
      bins[size++] = word * 32 + 31 - Math.clz32(bits & -bits)
  return size
}

function percentilesBy(
  { shares, weightOf }: SpanWeighting,
  index: number,
  history: SpanValues,
  width: number,
  size: number,
): number[] {
  let total = 0
  for (let at = 0; at < size; at++) total += sums[bins[at]! * width + index]!
  const found: number[] = []
  let sum = 0
  for (let at = 0; at < size && found.length < shares.length; at++) {
    const bin = bins[at]!
    const reached = sum + sums[bin * width + index]!
    while (found.length < shares.length && reached >= shares[found.length]! * total * almostOne)
      found.push(valueAt(bin, shares[found.length]! * total * almostOne - sum, weightOf, history))
    sum = reached
  }
  return found
}

/** The least value of a bin at or below which lies so much of its weight. */
function valueAt(
  bin: number,
  wanted: number,
  weightOf: Float64Array,
  { values, weights }: SpanValues,
): number {
  const size = sorted(bin, values)
  let sum = 0
  for (let at = 0; at < size; at++) {
    sum += weights[order[at]!]! * weightOf[spanOf[order[at]!]!]!
    if (sum >= wanted) return values[order[at]!]!
  }
  return values[order[size - 1]!]!
}

/** Puts a bin's entries in order of value; how many they are. */
function sorted(bin: number, values: Float64Array): number {
  let size = 0
  for (let entry = newest[bin]!; entry !== none; entry = before[entry]!) {
    let at = size++
    for (; at > 0 && values[order[at - 1]!]! > values[entry]!; at--) order[at] = order[at - 1]!
    order[at] = entry
  }
  return size
}

/** What rounding may have taken from a sum. */
const almostOne = 1 - 1e-12

/** 64 bins between a number and its double, from a billionth on; all below are in the first, all above in the last. */
function binOf(value: number): number {
  double[0] = value
  const bin = (halves[upper]! >>> 14) - firstBits
  return bin < 0 ? 0 : bin < binCount ? bin : binCount - 1
}

const double = Float64Array.of(1)
const halves = new Uint32Array(double.buffer)
/** Which half of a double holds its leading bits on this machine. */
const upper = halves[1] === 0 ? 0 : 1
const firstBits = (new Uint32Array(Float64Array.of(1e-9).buffer)[upper]! >>> 14) - 1
const binCount = 4096
const leastWidth = 4
const none = -1

/** Reusable workspace: for each bin its newest entry, and for each entry its span and the previous entry of its bin. */
let sums = new Float64Array()
let ofSpan = new Float64Array()
const used = new Uint32Array(binCount / 32)
const bins = new Int32Array(binCount)
const newest = new Int32Array(binCount).fill(none)
let before = new Int32Array()
let spanOf = new Int32Array()
let order = new Int32Array()

function ensureCapacity(entries: number, width: number): void {
  if (ofSpan.length < width) {
    ofSpan = new Float64Array(Math.max(leastWidth, width))
    sums = new Float64Array(binCount * Math.max(leastWidth, width))
  }
  if (before.length >= entries) return
  before = new Int32Array(entries * 2)
  spanOf = new Int32Array(entries * 2)
  order = new Int32Array(entries * 2)
}
