import packedModel from './built-in-model.json' with { type: 'json' }
import type { Forest } from './forest.ts'
import { type BaseName, gridSize } from './grid.ts'
import { ForestPredictor } from './predict.ts'

/** The model of other fleets for one base. */
export interface BuiltInBase {
  readonly predictor: ForestPredictor
  /** For each feature, the range that contains 98% of the days trained on. */
  readonly lows: Float32Array
  readonly highs: Float32Array
}

export type BuiltInModel = Readonly<Record<BaseName, BuiltInBase>>

export interface PackedTree {
  readonly nodes: number[][]
  readonly leaves: number[][]
}

export const shareUnit = 1e-4

export function unpackForest(trees: readonly PackedTree[]): Forest {
  return {
    rows: 0,
    trees: trees.map(({ nodes, leaves }) => ({
      nodes: nodes.map(([feature, threshold, left, right]) => ({
        feature: feature!,
        threshold: threshold!,
        left: left!,
        right: right!,
      })),
      leaves: leaves.map((leaf) =>
        Float32Array.from({ length: gridSize }, (_, k) => (leaf[k] ?? 0) * shareUnit),
      ),
    })),
  }
}

interface PackedBase {
  readonly trees: PackedTree[]
  readonly lows: number[]
  readonly highs: number[]
}

const unpacked = ({ trees, lows, highs }: PackedBase): BuiltInBase => ({
  predictor: new ForestPredictor(unpackForest(trees)),
  lows: Float32Array.from(lows),
  highs: Float32Array.from(highs),
})

/**
 * A model of other fleets, for a service that has little usage of its own yet: small forests over public
 * traces (Bitbrains GWA-T-12, Google 2011, PlanetLab 2011), made by `node bench/quality.ts --write-prior`.
 * Nodes are [feature, threshold, left, right]; leaves are shares in ten-thousandths, without trailing zeros.
 */
export const builtInModel: BuiltInModel = {
  p95: unpacked(packedModel.p95),
  p99: unpacked(packedModel.p99),
  p995: unpacked(packedModel.p995),
  peak: unpacked(packedModel.peak),
}
