import { describe, expect, test } from 'vitest'
import { baseModelOf, expectedShares } from './experience.ts'
import type { Forest } from './forest.ts'
import { gridSize } from './grid.ts'
import { ForestPredictor } from './predict.ts'

/** A forest of one leaf, which expects the same share above every size. */
const always = (share: number, rows: number): Forest => ({
  rows,
  trees: [
    {
      nodes: [{ feature: -1, threshold: 0, left: 0, right: 0 }],
      leaves: [new Float32Array(gridSize).fill(share)],
    },
  ],
})
const features = new Float32Array(60)
const prior = new ForestPredictor(always(0.8, 0))

describe('own experience weighs by its days against 1500 days of others', () => {
  test.each([
    [0, 0.8],
    [500, 0.65],
    [1500, 0.5],
    [4500, 0.35],
  ])('%i days', (rows, share) => {
    const model = baseModelOf({ forest: always(0.2, rows), meanBase: 1 })
    const shares = expectedShares(model, features, prior)
    expect(shares).toHaveLength(gridSize)
    for (const one of shares) expect(one).toBeCloseTo(share, 6)
  })

  test('none of its own', () => {
    expect(expectedShares(null, features, prior)).toEqual(new Float32Array(gridSize).fill(0.8))
  })
})
