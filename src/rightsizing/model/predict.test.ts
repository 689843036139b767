import fc from 'fast-check'
import { expect, test } from 'vitest'
import packedModel from './built-in-model.json' with { type: 'json' }
import { unpackForest } from './built-in-model.ts'
import type { Forest } from './forest.ts'
import { gridSize } from './grid.ts'
import { ForestPredictor, singleBelow, writeMeanShares } from './predict.ts'

/** The slow twin, which walks from object to object, one tree after the other. */
function slowly({ trees }: Forest, features: Float32Array): Float32Array {
  const sum = new Float64Array(gridSize)
  for (const { nodes, leaves } of trees) {
    let node = nodes[0]!
    while (node.feature >= 0) node = nodes[features[node.feature]! > node.threshold ? node.right : node.left]!
    for (let k = 0; k < gridSize; k++) sum[k]! += leaves[node.left]![k]!
  }
  return Float32Array.from(sum, (share) => share / trees.length)
}

const feature = fc.oneof(fc.float({ min: -8, max: 8, noNaN: true }), fc.constant(Number.NaN))

test('shares equal those of the leaves that a node-by-node walk reaches', () => {
  const { trees } = unpackForest(packedModel.peak.trees)
  fc.assert(
    fc.property(
      fc.array(feature, { minLength: 60, maxLength: 60 }).map((of) => Float32Array.from(of)),
      fc.integer({ min: 1, max: trees.length }),
      fc.integer({ min: 0, max: gridSize }),
      (features, count, middle) => {
        const forest = { rows: 0, trees: [...trees, ...trees].slice(0, 2 * count - 1) }
        const leaves = new ForestPredictor(forest).leavesOf(features)
        const shares = new Float32Array(gridSize)
        writeMeanShares(leaves, shares, middle, gridSize)
        writeMeanShares(leaves, shares, 0, middle)
        expect(shares).toEqual(slowly(forest, features))
      },
    ),
  )
})

test('a float32 is above a threshold exactly if it is above the next lower float32', () => {
  const single = fc.float()
  fc.assert(
    fc.property(fc.oneof(fc.double(), single), single, (threshold, one) => {
      expect(one > singleBelow(threshold)).toBe(one > threshold)
      expect(singleBelow(threshold) > threshold).toBe(false)
    }),
    { numRuns: 2000 },
  )
})
