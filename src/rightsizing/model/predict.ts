import type { Forest } from './forest.ts'
import { gridSize } from './grid.ts'

/** Predicts from a forest, whose nodes it has put side by side. */
export class ForestPredictor {
  readonly #flat: FlatForest

  constructor(forest: Forest) {
    this.#flat = flattened(forest)
  }

  /** The mean over the trees of what past days of the same leaf went through. */
  predictShares(features: Float32Array): Float32Array {
    const flat = this.#flat
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
}

/**
 * The nodes of all trees side by side, 16 bytes each, since a walk from object to object would wait for the memory of each:
 *
 *   | int32 feature | float32 threshold | int32 where to go at or below it | int32 where to go above it |
 *
 * A leaf has feature -1, and then which leaf it is.
 */
interface FlatForest {
  readonly roots: Int32Array
  readonly nodes: Int32Array
  /** The same bytes. */
  readonly thresholds: Float32Array
  readonly leaves: readonly Float32Array[]
}

function leafOf({ nodes, thresholds, leaves }: FlatForest, root: number, of: Float32Array): Float32Array {
  let at = root
  for (let feature = nodes[at]!; feature >= 0; feature = nodes[at]!)
    at = nodes[of[feature]! > thresholds[at + 1]! ? at + 3 : at + 2]!
  return leaves[nodes[at + 2]!]!
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

const nodeLength = 4

function flattened({ trees }: Forest): FlatForest {
  const roots = new Int32Array(trees.length)
  const nodes = new Int32Array(trees.reduce((sum, tree) => sum + tree.nodes.length, 0) * nodeLength)
  const thresholds = new Float32Array(nodes.buffer)
  const leaves: Float32Array[] = []
  let first = 0
  for (const [tree, { nodes: own, leaves: ownLeaves }] of trees.entries()) {
    roots[tree] = first
    for (const [index, { feature, threshold, left, right }] of own.entries()) {
      const at = first + index * nodeLength
      const [base, step] = feature < 0 ? [leaves.length, 1] : [first, nodeLength]
      nodes.set([feature, 0, base + left * step, base + right * step], at)
      thresholds[at + 1] = singleBelow(threshold)
    }
    first += own.length * nodeLength
    leaves.push(...ownLeaves)
  }
  return { roots, nodes, thresholds, leaves }
}

/** The greatest float32 not above: a feature, being one, is above the threshold where it is above this. */
export function singleBelow(value: number): number {
  const nearest = Math.fround(value)
  if (!(nearest > value)) return nearest
  const bits = new Int32Array(Float32Array.of(nearest).buffer)
  if (nearest > 0) bits[0]!--
  else if (nearest < 0) bits[0]!++
  else return -(2 ** -149)
  return new Float32Array(bits.buffer)[0]!
}
