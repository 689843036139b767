import type { Resource } from '../input.ts'
import type { Forest } from './forest.ts'
import type { BaseName } from './grid.ts'
import { gridSize } from './grid.ts'

/** Predicts from a forest, whose nodes and leaves it keeps in flat arrays. */
export class ForestPredictor {
  readonly #flat: FlatForest

  constructor(forest: Forest) {
    this.#flat = flattened(forest)
  }

  /** Finds the leaf of each tree that the features lead to: past days that were like this one. */
  leavesOf(features: Float32Array): ForestLeaves {
    const flat = this.#flat
    const { roots } = flat
    const starts: number[] = []
    for (let tree = 0; tree < roots.length; tree++) starts.push(leafOf(flat, roots[tree]!, features))
    return { leaves: flat.leaves, starts }
  }
}

/** Shares of all leaves, and the offsets of the chosen leaves in them. */
interface ForestLeaves {
  readonly leaves: Float32Array
  readonly starts: readonly number[]
}

/**
 * Writes the mean over the leaves for multiples [from, to) of the grid. It adds up four sums at a time, because each
 * addition to a sum waits for the one before.
 */
export function writeMeanShares(
  { leaves, starts }: ForestLeaves,
  shares: Float32Array,
  from: number,
  to: number,
): void {
  const { length } = starts
  let k = from
  for (; k + 4 <= to; k += 4) {
    // Declared one by one, because V8 would allocate an array for a destructuring declaration each time.
    let first = 0
    let second = 0
    let third = 0
    let fourth = 0
    for (let tree = 0; tree < length; tree++) {
      const at = starts[tree]! + k
      first += leaves[at]!
      second += leaves[at + 1]!
      third += leaves[at + 2]!
      fourth += leaves[at + 3]!
    }
    shares[k] = first / length
    shares[k + 1] = second / length
    shares[k + 2] = third / length
    shares[k + 3] = fourth / length
  }
  for (; k < to; k++) {
    let sum = 0
    for (let tree = 0; tree < length; tree++) sum += leaves[starts[tree]! + k]!
    shares[k] = sum / length
  }
}

/**
 * The nodes of all trees in one array, 8 bytes each, because a walk from object to object would wait for the memory of each:
 *
 *   | float32 threshold | uint8 feature | uint24 node to go to above the threshold |
 *
 * At or below the threshold, and if the feature is unknown, the walk goes on to the next node in the array. A leaf has
 * feature 255, and the number of the leaf in place of the node.
 */
interface FlatForest {
  readonly roots: Int32Array
  readonly thresholds: Float32Array
  /** The same bytes as `thresholds`. */
  readonly links: Uint32Array
  readonly leaves: Float32Array
}

/** Offset of the leaf's shares. */
function leafOf({ links, thresholds }: FlatForest, root: number, features: Float32Array): number {
  let at = root
  for (;;) {
    const link = links[at + 1]!
    const feature = link & leafMark
    if (feature === leafMark) return (link >>> 8) * gridSize
    at = features[feature]! > thresholds[at]! ? (link >>> 8) * 2 : at + 2
  }
}

const leafMark = 255

function flattened({ trees }: Forest): FlatForest {
  const count = trees.reduce((sum, tree) => sum + tree.nodes.length, 0)
  const thresholds = new Float32Array(count * 2)
  const links = new Uint32Array(thresholds.buffer)
  const leaves = new Float32Array(trees.reduce((sum, tree) => sum + tree.leaves.length, 0) * gridSize)
  let [next, nextLeaf] = [0, 0]
  const roots = trees.map(({ nodes, leaves: own }) => {
    /** Writes a node and all nodes below it, and returns its index. */
    const write = (index: number): number => {
      const { feature, threshold, left, right } = nodes[index]!
      const at = next++
      if (feature < 0) {
        leaves.set(own[left]!, nextLeaf * gridSize)
        links[at * 2 + 1] = nextLeaf++ * 256 + leafMark
        return at
      }
      thresholds[at * 2] = singleBelow(threshold)
      write(left)
      links[at * 2 + 1] = write(right) * 256 + feature
      return at
    }
    return write(0) * 2
  })
  return { roots: Int32Array.from(roots), thresholds, links, leaves }
}

/**
 * The greatest float32 that is not above the value. A feature is a float32 too, so it is above the value exactly if it
 * is above this.
 */
export function singleBelow(value: number): number {
  const nearest = Math.fround(value)
  if (!(nearest > value)) return nearest
  const bits = new Int32Array(Float32Array.of(nearest).buffer)
  if (nearest > 0) bits[0]!--
  else if (nearest < 0) bits[0]!++
  else return -(2 ** -149)
  return new Float32Array(bits.buffer)[0]!
}

/** A model trained on an organisation's own past days, in the form that is stored. */
interface StorableBase {
  readonly forest: Forest
  /** Mean base of the series trained on, which shows what a typical series costs. */
  readonly meanBase: number
}

/** The same in the form that predicts. */
export interface BaseModel {
  /** Number of days trained on. */
  readonly rows: number
  readonly meanBase: number
  readonly predictor: ForestPredictor
}

/** A model that was just trained and has not been stored yet. */
export type TrainedBase = BaseModel & StorableBase

export interface ModelRisks {
  /** Expected share above the request by risk level, as a mean over the series trained on. */
  readonly risks?: Readonly<Partial<Record<Resource, readonly number[]>>>
  /** Expected CPU usage above the request divided by all usage, by risk level. */
  readonly shortfalls?: readonly number[]
}

export type StorableModel = Readonly<Partial<Record<BaseName, StorableBase>>> & ModelRisks

export type SizingModel = Readonly<Partial<Record<BaseName, BaseModel>>> & ModelRisks

export type TrainedModel = Readonly<Partial<Record<BaseName, TrainedBase>>> & ModelRisks

export const baseModelOf = ({ forest, meanBase }: StorableBase): BaseModel => ({
  rows: forest.rows,
  meanBase,
  predictor: new ForestPredictor(forest),
})
