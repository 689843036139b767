const bins = 32

/** A spread below this variance (2% of the size) is not worth a split. */
const minVariance = 4e-4

/** Input of splits in columns: each feature's bin for every row, and the needs of all rows, `width` per row. */
export interface SplitColumns {
  readonly edges: readonly Float32Array[]
  readonly bins: readonly Uint8Array[]
  readonly needs: Float64Array
  readonly width: number
}

export function buildSplitColumns(
  features: readonly Float32Array[],
  needs: readonly Float32Array[],
): SplitColumns {
  const edges = binEdges(features)
  const width = needs[0]?.length ?? 0
  const flat = new Float64Array(needs.length * width)
  needs.forEach((own, row) => {
    flat.set(own, row * width)
  })
  return {
    edges,
    bins: edges.map((own, f) => Uint8Array.from(features, (row) => binOf(own, row[f]!))),
    needs: flat,
    width,
  }
}

/**
 * Draws a few features at random and returns the split after which the needs of both sides are most likely under their
 * own mean and spread.
 */
export function bestSplit(
  { edges, bins: binned, needs, width }: SplitColumns,
  members: Int32Array,
  settings: { readonly minLeafRows: number; readonly featuresPerSplit: number },
  random: () => number,
): { feature: number; bin: number } | null {
  const { minLeafRows } = settings
  if (members.length < 2 * minLeafRows) return null
  const counts = new Float64Array(bins)
  const sums = new Float64Array(bins * width)
  const squares = new Float64Array(bins * width)
  const [sum, square, leftSum, leftSquare] = Array.from({ length: 4 }, () => new Float64Array(width))
  for (const row of members)
    for (let j = 0; j < width; j++) {
      const need = needs[row * width + j]!
      sum![j]! += need
      square![j]! += need * need
    }
  let best: { feature: number; bin: number } | null = null
  let bestGain = 1e-9
  for (let drawn = 0; drawn < settings.featuresPerSplit; drawn++) {
    const feature = Math.floor(random() * edges.length)
    const column = binned[feature]!
    counts.fill(0)
    sums.fill(0)
    squares.fill(0)
    for (const row of members) {
      const bin = column[row]!
      counts[bin]!++
      for (let j = 0; j < width; j++) {
        const need = needs[row * width + j]!
        sums[bin * width + j]! += need
        squares[bin * width + j]! += need * need
      }
    }
    leftSum!.fill(0)
    leftSquare!.fill(0)
    let left = 0
    for (let bin = 0; bin < bins - 1; bin++) {
      if (counts[bin] === 0) continue
      left += counts[bin]!
      const right = members.length - left
      let gain = 0
      for (let j = 0; j < width; j++) {
        leftSum![j]! += sums[bin * width + j]!
        leftSquare![j]! += squares[bin * width + j]!
        gain +=
          negativeLogLikelihood(members.length, sum![j]!, square![j]!) -
          negativeLogLikelihood(left, leftSum![j]!, leftSquare![j]!) -
          negativeLogLikelihood(right, sum![j]! - leftSum![j]!, square![j]! - leftSquare![j]!)
      }
      if (left < minLeafRows || right < minLeafRows || gain <= bestGain) continue
      bestGain = gain
      best = { feature, bin }
    }
  }
  return best
}

/** Minus twice the log-likelihood of n values under their own normal distribution, up to a constant. */
const negativeLogLikelihood = (n: number, sum: number, square: number): number =>
  n === 0 ? 0 : n * Math.log(Math.max(0, square / n - (sum / n) ** 2) + minVariance)

/** Thresholds that a feature is compared with: its values at equal steps of rank. */
function binEdges(features: readonly Float32Array[]): Float32Array[] {
  return Array.from({ length: features[0]?.length ?? 0 }, (_, f) => {
    const known = Float32Array.from(features, (row) => row[f]!)
      .filter((x) => !Number.isNaN(x))
      .sort()
    const edges = new Set<number>()
    for (let i = 1; i < bins - 1 && known.length > 0; i++)
      edges.add(known[Math.floor((i * known.length) / (bins - 1))]!)
    return Float32Array.from(edges)
  })
}

/** Bin 0 is for unknown values, bin 1 for values at or below the first edge. */
function binOf(edges: Float32Array, x: number): number {
  if (Number.isNaN(x)) return 0
  let [low, high] = [0, edges.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (edges[middle]! < x) low = middle + 1
    else high = middle
  }
  return low + 1
}
