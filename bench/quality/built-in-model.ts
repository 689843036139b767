import { writeFileSync } from 'node:fs'
import shipped from '../../src/rightsizing/model/built-in-model.json' with { type: 'json' }
import {
  type BuiltInBase,
  type BuiltInModel,
  builtInModel,
  type PackedTree,
  shareUnit,
} from '../../src/rightsizing/model/built-in-model.ts'
import { type Forest, type ForestSettings, trainForest } from '../../src/rightsizing/model/forest.ts'
import { type BaseName, baseNames } from '../../src/rightsizing/model/grid.ts'
import { ForestPredictor } from '../../src/rightsizing/model/predict.ts'
import { type DayRow, type FleetRows, needsOf } from '../../src/rightsizing/model/training-rows.ts'
import { sampledSet, type TraceSet } from './traces.ts'

export interface KnownSet {
  readonly set: TraceSet
  readonly rows: FleetRows
}

const ofCpu: ForestSettings = { trees: 4, depth: 6, minLeafRows: 60, featuresPerSplit: 12, seed: 1 }
const settings: Record<BaseName, ForestSettings> = {
  p95: ofCpu,
  p99: ofCpu,
  p995: ofCpu,
  peak: { trees: 6, depth: 8, minLeafRows: 20, featuresPerSplit: 12, seed: 1 },
}

/** Writes the model that a new service has before it has any usage. */
export function writeBuiltInModel(known: readonly KnownSet[], file: URL): void {
  const parts = baseNames.map(
    (name) => `"${name}": ${JSON.stringify(packed(trainForestOn(known, name, () => true)))}`,
  )
  const from = `"trainedOn": ${JSON.stringify(known.map(({ set }) => set.mark))}`
  writeFileSync(file, `{\n${[from, ...parts].join(',\n')}\n}\n`)
}

interface TrainedForest {
  readonly forest: Forest
  readonly lows: number[]
  readonly highs: number[]
}

const packed = ({ forest, lows, highs }: TrainedForest) => ({
  lows: lows.map(rounded),
  highs: highs.map(rounded),
  trees: packForest(forest),
})

const rounded = (value: number): number => Number(value.toPrecision(4))

function packForest(forest: Forest): PackedTree[] {
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

/**
 * Returns the built-in model. If it was trained on these same series, returns cross-validated models: even series are
 * evaluated with a model of the odd series of all sets, and vice versa.
 */
export function builtInModelFor(
  { set }: KnownSet,
  known: readonly KnownSet[],
): { crossed: boolean; of: (series: number) => BuiltInModel } {
  if (!shipped.trainedOn.includes(set.mark)) return { crossed: false, of: () => builtInModel }
  const halves = [0, 1].map((half) => builtInModelOf(known, (series) => series % 2 !== half))
  return { crossed: true, of: (series) => halves[series % 2]! }
}

/** Trains on some series of some sets. If no set has memory, the shipped model for memory is used. */
export function builtInModelOf(known: readonly KnownSet[], from: (series: number) => boolean): BuiltInModel {
  const names = baseNames.filter((name) => known.some(({ rows }) => rows.has(name)))
  const trained = names.map((name) => [name, builtInBaseOf(trainForestOn(known, name, from))])
  return { ...builtInModel, ...Object.fromEntries(trained) }
}

const builtInBaseOf = ({ forest, lows, highs }: TrainedForest): BuiltInBase => ({
  predictor: new ForestPredictor(forest),
  lows: Float32Array.from(lows),
  highs: Float32Array.from(highs),
})

/** Selects every n-th series of a set, starting with `first`. */
export function sampleOf({ set, rows }: KnownSet, every: number, first: number): KnownSet {
  const kept = (_: unknown, series: number): boolean => series % every === first
  return {
    set: sampledSet(set, every, first),
    rows: new Map([...rows].map(([name, own]) => [name, own.filter(kept)])),
  }
}

function trainForestOn(
  known: readonly KnownSet[],
  name: BaseName,
  from: (series: number) => boolean,
): TrainedForest {
  const rows = known.flatMap((one, set) =>
    (one.rows.get(name) ?? []).flatMap((own, series) =>
      from(series) ? own.map((row) => ({ row, series: set * 1e6 + series })) : [],
    ),
  )
  const forest = trainForest(
    {
      features: rows.map(({ row }) => withoutSize(row)),
      shares: rows.map(({ row }) => row.shares),
      needs: rows.map(({ row }) => needsOf(row.shares, name)),
      series: rows.map(({ series }) => series),
    },
    settings[name],
  )
  const sizeAt = rows[0]!.row.features.length - 1
  const ranges = Array.from({ length: sizeAt }, (_, feature) =>
    rangeOf(rows.map(({ row }) => row.features[feature]!)),
  )
  return { forest, lows: ranges.map(({ low }) => low), highs: ranges.map(({ high }) => high) }
}

const shareOutside = 0.01

/** Returns the range without the lowest and highest hundredth of the values. */
function rangeOf(values: readonly number[]): { low: number; high: number } {
  const known = Float64Array.from(values.filter((value) => !Number.isNaN(value))).sort()
  const outside = Math.floor(shareOutside * known.length)
  return { low: known[outside] ?? 0, high: known[known.length - 1 - outside] ?? 0 }
}

/** The size of series differs between fleets, so it is not used for training. */
const withoutSize = ({ features }: DayRow): Float32Array =>
  Float32Array.from(features, (x, i) => (i === features.length - 1 ? Number.NaN : x))
