import type { BaseName } from './bases.ts'
import type { Forest } from './forest.ts'
import { gridSize } from './grid.ts'
import { ForestPredictor } from './predict.ts'
import experience from './prior.json' with { type: 'json' }

/**
 * Experience of other fleets, for a service that has little of its own yet: small forests over public
 * traces (Bitbrains GWA-T-12, Google 2011, PlanetLab 2011), made by `node bench/quality.ts --write-prior`.
 * Nodes are [feature, threshold, left, right]; leaves are shares in ten-thousandths, without the zeros at their end.
 */
export const priorPredictor = (name: BaseName): ForestPredictor => predictors[name]

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

const predictors: Readonly<Record<BaseName, ForestPredictor>> = {
  p95: new ForestPredictor(unpackForest(experience.p95)),
  p99: new ForestPredictor(unpackForest(experience.p99)),
  p995: new ForestPredictor(unpackForest(experience.p995)),
  peak: new ForestPredictor(unpackForest(experience.peak)),
}
