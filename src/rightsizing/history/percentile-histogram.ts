/** A way to weigh spans, and the shares whose percentiles are wanted, ascending. */
export interface SpanWeighting {
  readonly shares: readonly number[]
  /** By span; what is left out counts nothing but is there. Undefined: every span weighs 1. */
  readonly weightOf: readonly number[] | undefined
}

/** Weighted values, in columns; those of span i are offsets[i] to offsets[i + 1]. */
export interface SpanValues {
  readonly offsets: Uint32Array
  readonly values: Float64Array
  readonly weights: Float64Array
}

/**
 * Works percentiles out, in memory that it uses again each time.
 * Values are weighed in bins by the leading bits of a double, which ascend as it does; where a percentile lies in a bin, the
 * values of that bin alone are put in order.
 */
export class PercentileHistogram {
  #sums = new Float64Array()
  #ofSpan = new Float64Array()
  readonly #used = new Uint32Array(binCount / 32)
  readonly #bins = new Int32Array(binCount)
  /** By bin its newest entry, and by entry the one before it in its bin. */
  readonly #newest = new Int32Array(binCount).fill(none)
  #before = new Int32Array()
  #order = new Int32Array()

  /**
   * Percentiles of the values of some spans, in no order, by several weighings at once: for each share the least value at or
   * below which lies that share of the weight. None where there are no values.
   */
  percentilesOf(
    history: SpanValues,
    spans: readonly number[],
    from: number,
    to: number,
    weighings: readonly SpanWeighting[],
  ): number[][] {
    const width = weighings.length === 1 ? 1 : Math.max(leastWidth, weighings.length)
    this.#ensureCapacity(history.values.length, width)
    this.#weigh(history, spans, from, to, weighings, width)
    const size = this.#listBins()
    const found = weighings.map((weighing, index) =>
      this.#percentilesBy(weighing, index, history, width, size),
    )
    this.#clear(size, width)
    return found
  }

  #weigh(
    { offsets, values, weights }: SpanValues,
    spans: readonly number[],
    from: number,
    to: number,
    weighings: readonly SpanWeighting[],
    width: number,
  ): void {
    const [used, newest, before, sums, ofSpan] = [
      this.#used,
      this.#newest,
      this.#before,
      this.#sums,
      this.#ofSpan,
    ]
    const halves = new Uint32Array(values.buffer, values.byteOffset, values.length * 2)
    for (let place = from; place < to; place++) {
      const span = spans[place]!
      for (let index = 0; index < weighings.length; index++)
        ofSpan[index] = weighings[index]!.weightOf?.[span] ?? 1
      const first = ofSpan[0]!
      const second = ofSpan[1]!
      const third = ofSpan[2]!
      const fourth = ofSpan[3]!
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
        // By hand, since these are the four that are always asked for.
        sums[at + 1]! += weight * second
        sums[at + 2]! += weight * third
        sums[at + 3]! += weight * fourth
        for (let index = leastWidth; index < width; index++) sums[at + index]! += weight * ofSpan[index]!
      }
    }
  }

  /** Lists the bins that hold anything, ascending; how many they are. */
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

  /** The least value of a bin at or below which lies so much of its weight. */
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

  /** Puts a bin's entries in order of value; how many they are. */
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

  /** As new, but for its capacity. */
  #clear(size: number, width: number): void {
    for (let at = 0; at < size; at++) {
      const bin = this.#bins[at]!
      this.#newest[bin] = none
      this.#used[bin >>> 5] = 0
      for (let index = 0; index < width; index++) this.#sums[bin * width + index] = 0
    }
  }

  #ensureCapacity(entries: number, width: number): void {
    if (this.#ofSpan.length < width) {
      this.#ofSpan = new Float64Array(Math.max(leastWidth, width))
      this.#sums = new Float64Array(binCount * Math.max(leastWidth, width))
    }
    if (this.#before.length >= entries) return
    this.#before = new Int32Array(entries * 2)
    this.#order = new Int32Array(entries * 2)
  }
}

/** The span that holds an entry. */
function spanOf(offsets: Uint32Array, entry: number): number {
  let [low, high] = [0, offsets.length - 2]
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (offsets[middle]! <= entry) low = middle
    else high = middle - 1
  }
  return low
}

/** What rounding may have taken from a sum. */
const almostOne = 1 - 1e-12

/** 64 bins between a number and its double, from a billionth on; all below are in the first, all above in the last. */
function binOf(upperHalf: number): number {
  const bin = (upperHalf >>> 14) - firstBits
  return bin < 0 ? 0 : bin < binCount ? bin : binCount - 1
}

/** Which half of a double holds its leading bits on this machine. */
const upper: number = new Uint32Array(Float64Array.of(1).buffer)[1] === 0 ? 0 : 1
const firstBits: number = (new Uint32Array(Float64Array.of(1e-9).buffer)[upper]! >>> 14) - 1
const binCount = 4096
const leastWidth = 4
const none = -1
