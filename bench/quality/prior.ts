import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { type BaseName, baseNames } from '../../src/rightsizing/model/bases.ts'
import { type Forest, type ForestSettings, trainForest } from '../../src/rightsizing/model/forest.ts'
import { ForestPredictor } from '../../src/rightsizing/model/predict.ts'
import prior from '../../src/rightsizing/model/prior.json' with { type: 'json' }
import { type PackedTree, priorPredictor, shareUnit } from '../../src/rightsizing/model/prior.ts'
import { type DayRow, needsOf } from '../../src/rightsizing/model/training-rows.ts'
import type { FleetRows } from './fleet-rows.ts'
import { everySecond, type TraceSet } from './traces.ts'

/** What was learnt elsewhere, for a series. */
export type Experience = (name: BaseName, series: number) => ForestPredictor

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

/** Writes what a new service knows before it has seen a day. */
export function writePrior(known: readonly KnownSet[], file: URL): void {
  const packed = baseNames.map(
    (name) => `"${name}": ${JSON.stringify(packForest(learn(known, name, () => true)))}`,
  )
  const from = `"learntFrom": ${JSON.stringify(known.map(({ set }) => markOf(set)))}`
  writeFileSync(file, `{\n${[from, ...packed].join(',\n')}\n}\n`)
}

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
 * The built-in experience; where that was learnt from these very series, experience that was not: even series are judged
 * with what the odd ones of all sets teach, and the other way round.
 */
export function experienceFor(
  { set }: KnownSet,
  known: readonly KnownSet[],
): { crossed: boolean; of: Experience } {
  if (!prior.learntFrom.includes(markOf(set))) return { crossed: false, of: priorPredictor }
  const names = baseNames.filter((name) => known.some(({ rows }) => rows.has(name)))
  const halves = new Map(
    names.map((name) => [
      name,
      [0, 1].map((half) => new ForestPredictor(learn(known, name, (series) => series % 2 !== half))),
    ]),
  )
  return { crossed: true, of: (name, series) => halves.get(name)![series % 2]! }
}

/** Every second series of a set, from this one on. */
export function halfOf({ set, rows }: KnownSet, half: number): KnownSet {
  const kept = (_: unknown, series: number): boolean => series % 2 === half
  return {
    set: everySecond(set, half),
    rows: new Map([...rows].map(([name, own]) => [name, own.filter(kept)])),
  }
}

function learn(known: readonly KnownSet[], name: BaseName, from: (series: number) => boolean): Forest {
  const rows = known.flatMap((one, set) =>
    (one.rows.get(name) ?? []).flatMap((own, series) =>
      from(series) ? own.map((row) => ({ row, series: set * 1e6 + series })) : [],
    ),
  )
  return trainForest(
    {
      features: rows.map(({ row }) => withoutSize(row)),
      shares: rows.map(({ row }) => row.shares),
      needs: rows.map(({ row }) => needsOf(row.shares, name)),
      series: rows.map(({ series }) => series),
    },
    settings[name],
  )
}

/** How large series are differs from fleet to fleet, so nothing is learnt from it. */
const withoutSize = ({ features }: DayRow): Float32Array =>
  Float32Array.from(features, (x, i) => (i === features.length - 1 ? Number.NaN : x))

function markOf({ cpu: { values } }: TraceSet): string {
  const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength)
  return createHash('sha256').update(bytes).digest('hex').slice(0, 16)
}
