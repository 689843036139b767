/** Weights of spans, and the shares whose percentiles are wanted, ascending. */
export interface SpanWeighting {
  readonly shares: readonly number[]
  /** Weight of each span, by index. Undefined means that every span weighs 1. */
  readonly weightOf: readonly number[] | undefined
}

/** Weighted values in columns. Those of span i are at offsets[i] to offsets[i + 1]. */
export interface SpanValues {
  readonly offsets: Uint32Array
  readonly values: Float64Array
  readonly weights: Float64Array
}

/**
 * Computes percentiles in memory that it reuses.
 * Weights are summed in bins by the leading bits of the value as a double, which sort in the same order as the value. Only
 * the values of bins that contain a percentile are sorted.
 */
export class PercentileHistogram {
  #sums = new Float64Array()
  #spanWeights = new Float64Array()
  readonly #used = new Uint32Array(binCount / 32)
  readonly #bins = new Int32Array(binCount)
  /** Linked lists: the newest entry of each bin and, in #before, the previous entry of the same bin for each entry. */
  readonly #newest = new Int32Array(binCount).fill(none)
  #before = new Int32Array()
  #order = new Int32Array()

  /**
   * Percentiles of the values of some spans, in any order, by several weightings at once: for each share, the least value
   * at or below which that share of the weight lies. The lists are empty if there are no values.
   */
  percentilesOf(
    history: SpanValues,
    spans: readonly number[],
    from: number,
    to: number,
    weightings: readonly SpanWeighting[],
  ): number[][] {
    const width = weightings.length === 1 ? 1 : Math.max(minWidth, weightings.length)
    this.#ensureCapacity(history.values.length, width)
    this.#weigh(history, spans, from, to, weightings, width)
    const size = this.#listBins()
    const found = weightings.map((weighting, index) =>
      this.#percentilesBy(weighting, index, history, width, size),
    )
    this.#clear(size, width)
    return found
  }

  #weigh(
    { offsets, values, weights }: SpanValues,
    spans: readonly number[],
    from: number,
    to: number,
    weightings: readonly SpanWeighting[],
    width: number,
  ): void {
    const [used, newest, before, sums, spanWeights] = [
      this.#used,
      this.#newest,
      this.#before,
      this.#sums,
      this.#spanWeights,
    ]
    const halves = new Uint32Array(values.buffer, values.byteOffset, values.length * 2)
    for (let place = from; place < to; place++) {
      const span = spans[place]!
      for (let index = 0; index < weightings.length; index++)
        spanWeights[index] = weightings[index]!.weightOf?.[span] ?? 1
      const first = spanWeights[0]!
      const second = spanWeights[1]!
      const third = spanWeights[2]!
      const fourth = spanWeights[3]!
      const end = offsets[span + 1]!
      for (let entry = offsets[span]!; entry < end; entry++) {
        const bin = binOf(halves[entry * 2 + upper]!)
        used[bin >>> 5]! |= 1 << (bin & 31)
        before[entry] = newest[bin]!
        newest[bin] = entry
        const weight = weights[entry]!
        const at = bin * width
        sums[at]! += weight * first
        if (width === 1) continue
        // Unrolled by hand, because the features of CPU always need four weightings.
        sums[at + 1]! += weight * second
        sums[at + 2]! += weight * third
        sums[at + 3]! += weight * fourth
        for (let index = minWidth; index < width; index++) sums[at + index]! += weight * spanWeights[index]!
      }
    }
  }

  #listBins(): number {
    const [used, bins] = [this.#used, this.#bins]
    let size = 0
    for (let word = 0; word < used.length; word++)
      for (let bits = used[word]!; bits !== 0; bits &= bits - 1)
        bins[size++] = word * 32 + 31 - Math.clz32(bits & -bits)
    return size
  }

  #percentilesBy(
    { shares, weightOf }: SpanWeighting,
    index: number,
    history: SpanValues,
    width: number,
    size: number,
  ): number[] {
    const [sums, bins] = [this.#sums, this.#bins]
    let total = 0
    for (let at = 0; at < size; at++) total += sums[bins[at]! * width + index]!
    const found: number[] = []
    let sum = 0
    for (let at = 0; at < size && found.length < shares.length; at++) {
      const bin = bins[at]!
      const reached = sum + sums[bin * width + index]!
      while (found.length < shares.length && reached >= shares[found.length]! * total * almostOne)
        found.push(this.#valueAt(bin, shares[found.length]! * total * almostOne - sum, weightOf, history))
      sum = reached
    }
    return found
  }

  /** The least value of a bin at or below which `wanted` of its weight lies. */
  #valueAt(bin: number, wanted: number, weightOf: SpanWeighting['weightOf'], history: SpanValues): number {
    const { values, weights, offsets } = history
    const order = this.#order
    const size = this.#sorted(bin, values)
    let sum = 0
    for (let at = 0; at < size - 1; at++) {
      const entry = order[at]!
      sum += weights[entry]! * (weightOf === undefined ? 1 : weightOf[spanOf(offsets, entry)]!)
      if (sum >= wanted) return values[entry]!
    }
    return values[order[size - 1]!]!
  }

  #sorted(bin: number, values: Float64Array): number {
    const [newest, before, order] = [this.#newest, this.#before, this.#order]
    let size = 0
    for (let entry = newest[bin]!; entry !== none; entry = before[entry]!) {
      let at = size++
      for (; at > 0 && values[order[at - 1]!]! > values[entry]!; at--) order[at] = order[at - 1]!
      order[at] = entry
    }
    return size
  }

  #clear(size: number, width: number): void {
    for (let at = 0; at < size; at++) {
      const bin = this.#bins[at]!
      this.#newest[bin] = none
      this.#used[bin >>> 5] = 0
      for (let index = 0; index < width; index++) this.#sums[bin * width + index] = 0
    }
  }

  #ensureCapacity(entries: number, width: number): void {
    if (this.#spanWeights.length < width) {
      this.#spanWeights = new Float64Array(Math.max(minWidth, width))
      this.#sums = new Float64Array(binCount * Math.max(minWidth, width))
    }
    if (this.#before.length >= entries) return
    this.#before = new Int32Array(entries * 2)
    this.#order = new Int32Array(entries * 2)
  }
}

function spanOf(offsets: Uint32Array, entry: number): number {
  let [low, high] = [0, offsets.length - 2]
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (offsets[middle]! <= entry) low = middle
    else high = middle - 1
  }
  return low
}

/** Tolerates rounding errors of sums. */
const almostOne = 1 - 1e-12

/**
 * There are 64 bins between a number and twice that number, from a billionth on. Values below the first bin or above
 * the last are put into that bin.
 */
function binOf(upperHalf: number): number {
  const bin = (upperHalf >>> 14) - firstBits
  return bin < 0 ? 0 : bin < binCount ? bin : binCount - 1
}

/** Index of the half of a double that has its leading bits. It depends on the byte order of the machine. */
const upper: number = new Uint32Array(Float64Array.of(1).buffer)[1] === 0 ? 0 : 1
const firstBits: number = (new Uint32Array(Float64Array.of(1e-9).buffer)[upper]! >>> 14) - 1
const binCount = 4096
const minWidth = 4
const none = -1
