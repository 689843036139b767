import type { Forest } from './forest.ts'
import { gridSize } from './grid.ts'

/** The mean over the trees of what past days of the same leaf went through. */
export function predictShares(forest: Forest, features: Float32Array): Float32Array {
  const flat = flatOf(forest)
  const { roots } = flat
  const sum = new Float32Array(gridSize)
  let tree = 0
  for (; tree + 4 <= roots.length; tree += 4)
    addFour(
      sum,
      leafOf(flat, roots[tree]!, features),
      leafOf(flat, roots[tree + 1]!, features),
      leafOf(flat, roots[tree + 2]!, features),
      leafOf(flat, roots[tree + 3]!, features),
    )
  for (; tree < roots.length; tree++) {
    const leaf = leafOf(flat, roots[tree]!, features)
    for (let k = 0; k < gridSize; k++) sum[k]! += leaf[k]!
  }
  for (let k = 0; k < gridSize; k++) sum[k]! /= roots.length
  return sum
}

/** The nodes of all trees side by side: a walk from object to object would wait for the memory of each. */
interface FlatForest {
  readonly roots: Int32Array
  /** Below 0: a leaf. */
  readonly features: Int16Array
  readonly thresholds: Float64Array
  /** Of node i, 2i and 2i + 1: where to go at or below the threshold (of a leaf, its shares), and above it. */
  readonly next: Int32Array
  readonly leaves: readonly Float32Array[]
}

function leafOf(
  { features, thresholds, next, leaves }: FlatForest,
  root: number,
  of: Float32Array,
): Float32Array {
  let at = root
  for (let feature = features[at]!; feature >= 0; feature = features[at]!)
    at = next[of[feature]! > thresholds[at]! ? at * 2 + 1 : at * 2]!
  return leaves[next[at * 2]!]!
}

/** As one after the other would, rounding included, but faster. */
function addFour(
  sum: Float32Array,
  a: Float32Array,
  b: Float32Array,
  c: Float32Array,
  d: Float32Array,
): void {
  for (let k = 0; k < gridSize; k++)
    sum[k] = Math.fround(Math.fround(Math.fround(sum[k]! + a[k]!) + b[k]!) + c[k]!) + d[k]!
}

const known = new WeakMap<Forest, FlatForest>()

function flatOf(forest: Forest): FlatForest {
  let flat = known.get(forest)
  if (flat === undefined) {
    flat = flattened(forest)
    known.set(forest, flat)
  }
  return flat
}

function flattened({ trees }: Forest): FlatForest {
  const roots = new Int32Array(trees.length)
  const size = trees.reduce((sum, { nodes }) => sum + nodes.length, 0)
  const [features, thresholds] = [new Int16Array(size), new Float64Array(size)]
  const next = new Int32Array(size * 2)
  const leaves: Float32Array[] = []
  let first = 0
  for (const [tree, { nodes, leaves: own }] of trees.entries()) {
    roots[tree] = first
    for (const [index, { feature, threshold, left, right }] of nodes.entries()) {
      const base = feature < 0 ? leaves.length : first
      features[first + index] = feature
      thresholds[first + index] = threshold
      next.set([base + left, base + right], (first + index) * 2)
    }
    first += nodes.length
    leaves.push(...own)
  }
  return { roots, features, thresholds, next, leaves }
}
