import type { Forest } from './forest.ts'
import { type BaseName, gridSize } from './grid.ts'
import { ForestPredictor } from './predict.ts'
import experience from './prior.json' with { type: 'json' }

/** Experience from other fleets for one base. */
export interface BaseExperience {
  readonly predictor: ForestPredictor
  /** For each feature, the range that contains 98% of the days trained on. */
  readonly lows: Float32Array
  readonly highs: Float32Array
}

export type Experience = Readonly<Record<BaseName, BaseExperience>>

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

interface PackedExperience {
  readonly trees: PackedTree[]
  readonly lows: number[]
  readonly highs: number[]
}

const unpacked = ({ trees, lows, highs }: PackedExperience): BaseExperience => ({
  predictor: new ForestPredictor(unpackForest(trees)),
  lows: Float32Array.from(lows),
  highs: Float32Array.from(highs),
})

/**
 * Experience of other fleets, for a service that has little of its own yet: small forests over public
 * traces (Bitbrains GWA-T-12, Google 2011, PlanetLab 2011), made by `node bench/quality.ts --write-prior`.
 * Nodes are [feature, threshold, left, right]; leaves are shares in ten-thousandths, without trailing zeros.
 */
export const builtInExperience: Experience = {
  p95: unpacked(experience.p95),
  p99: unpacked(experience.p99),
  p995: unpacked(experience.p995),
  peak: unpacked(experience.peak),
}
