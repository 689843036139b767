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
export const priorForest = (name: BaseName): Forest => forests[name]
export const priorPredictor = (name: BaseName): ForestPredictor => predictors[name]

/** Identifiers of the trace sets it was trained on, so that they are not used to evaluate it. */
export const learntFrom: readonly string[] = experience.learntFrom

interface PackedTree {
  readonly nodes: number[][]
  readonly leaves: number[][]
}

const shareUnit = 1e-4

function unpack(trees: readonly PackedTree[]): Forest {
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

export function pack(forest: Forest): PackedTree[] {
  return forest.trees.map(({ nodes, leaves }) => ({
    // -1e9 instead of minus infinity, which JSON cannot represent.
    nodes: nodes.map(({ feature, threshold, left, right }) => [
      feature,
      Math.max(threshold, -1e9),
      left,
      right,
    ]),
    leaves: leaves.map((leaf) => {
      const packed = Array.from(leaf, (share) => Math.round(share / shareUnit))
      return packed.slice(0, packed.findLastIndex((share) => share > 0) + 1)
    }),
  }))
}

const forests: Readonly<Record<BaseName, Forest>> = {
  p95: unpack(experience.p95),
  p99: unpack(experience.p99),
  p995: unpack(experience.p995),
  peak: unpack(experience.peak),
}

const predictors: Readonly<Record<BaseName, ForestPredictor>> = {
  p95: new ForestPredictor(forests.p95),
  p99: new ForestPredictor(forests.p99),
  p995: new ForestPredictor(forests.p995),
  peak: new ForestPredictor(forests.peak),
}
