import { gridSize } from './grid.ts'
import { bestSplit, buildSplitColumns, type SplitColumns } from './split.ts'

/** Past days to train on, one row per day of a series. NaN features are unknown. */
interface TrainingRows {
  readonly features: readonly Float32Array[]
  /** Actual share of the day above each multiple of the grid. */
  readonly shares: readonly Float32Array[]
  /** The values that splits separate: log multiples that the day needed, one column per strictness. */
  readonly needs: readonly Float32Array[]
  /** Rows of one series go into a tree together or not at all. */
  readonly series: readonly number[]
}

export interface ForestSettings {
  readonly trees: number
  readonly depth: number
  readonly minLeafRows: number
  readonly featuresPerSplit: number
  readonly seed: number
}

/** Inner nodes name a feature, a threshold and two nodes; leaves (feature -1) point at their mean shares. */
interface Node {
  readonly feature: number
  readonly threshold: number
  readonly left: number
  readonly right: number
}

interface Tree {
  readonly nodes: readonly Node[]
  readonly leaves: readonly Float32Array[]
}

export interface Forest {
  readonly trees: readonly Tree[]
  readonly rows: number
}

const shareOfSeriesPerTree = 0.63

export function trainForest(rows: TrainingRows, settings: ForestSettings): Forest {
  const random = seededRandom(settings.seed)
  const columns = buildSplitColumns(rows.features, rows.needs)
  const bySeries = Map.groupBy(rows.series.keys(), (row) => rows.series[row]!)
  const trees = Array.from({ length: settings.trees }, () => {
    const chosen = shuffled([...bySeries.keys()], random)
    const size = Math.max(1, Math.ceil(chosen.length * shareOfSeriesPerTree))
    const treeRows = Int32Array.from(chosen.slice(0, size).flatMap((series) => bySeries.get(series)!))
    return growTree(rows.shares, columns, treeRows, settings, random)
  })
  return { trees, rows: rows.features.length }
}

function growTree(
  shares: readonly Float32Array[],
  columns: SplitColumns,
  treeRows: Int32Array,
  settings: ForestSettings,
  random: () => number,
): Tree {
  const nodes: Node[] = []
  const groups: Group[] = []
  const grow = (members: Int32Array, depth: number): number => {
    const at = nodes.length
    nodes.push({ feature: -1, threshold: 0, left: 0, right: 0 })
    const split = depth < settings.depth ? bestSplit(columns, members, settings, random) : null
    if (split === null) {
      groups[at] = groupOf(shares, members)
      return at
    }
    const { feature, bin } = split
    const column = columns.bins[feature]!
    const left = grow(
      members.filter((row) => column[row]! <= bin),
      depth + 1,
    )
    const right = grow(
      members.filter((row) => column[row]! > bin),
      depth + 1,
    )
    // Unknown (bin 0) goes left: NaN > threshold is false.
    const threshold = bin === 0 ? Number.NEGATIVE_INFINITY : columns.edges[feature]![bin - 1]!
    nodes[at] = { feature, threshold, left, right }
    groups[at] = mergedGroup(groups[left]!, groups[right]!)
    return at
  }
  grow(treeRows, 0)
  const leaves: Float32Array[] = []
  const writeLeaves = (at: number, parentMean: Float32Array | null): void => {
    const mean = meanShares(groups[at]!, parentMean)
    const { feature, left, right } = nodes[at]!
    if (feature < 0) nodes[at] = { feature, threshold: 0, left: leaves.push(mean) - 1, right: 0 }
    else for (const side of [left, right]) writeLeaves(side, mean)
  }
  writeLeaves(0, null)
  return { nodes, leaves }
}

/** The rows that reach a node, and the sum of their shares. */
interface Group {
  readonly rows: number
  readonly shares: Float64Array
}

function groupOf(shares: readonly Float32Array[], members: Int32Array): Group {
  const sum = new Float64Array(gridSize)
  for (const row of members) {
    const own = shares[row]!
    for (let k = 0; k < gridSize; k++) sum[k]! += own[k]!
  }
  return { rows: members.length, shares: sum }
}

const mergedGroup = (a: Group, b: Group): Group => ({
  rows: a.rows + b.rows,
  shares: a.shares.map((share, k) => share + b.shares[k]!),
})

/**
 * The mean of the parent node weighs as much as this many rows, so that a small leaf does not follow its few rows
 * alone.
 */
const rowsOfParent = 20

function meanShares({ rows, shares }: Group, parentMean: Float32Array | null): Float32Array {
  const extra = parentMean === null ? 0 : rowsOfParent
  return Float32Array.from(shares, (sum, k) => (sum + extra * (parentMean?.[k] ?? 0)) / (rows + extra))
}

function shuffled<T>(items: T[], random: () => number): T[] {
  for (let i = items.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1))
    ;[items[i], items[j]] = [items[j]!, items[i]!]
  }
  return items
}

/** Mulberry32: the same numbers in [0, 1) on every machine for the same seed. */
export function seededRandom(seed: number): () => number {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}
