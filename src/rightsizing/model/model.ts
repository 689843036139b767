import type { DailyUsage } from '../history/days.ts'
import type { Resource } from '../input.ts'
import { expectedRisks } from '../risk/expected-risks.ts'
import { type BuiltInModel, builtInModel } from './built-in-model.ts'
import { type ForestSettings, trainForest } from './forest.ts'
import { type BaseName, baseNames, basesOf } from './grid.ts'
import { baseModelOf, type TrainedBase, type TrainedModel } from './predict.ts'
import { type DayRow, dayRows, type FleetRows, needsOf } from './training-rows.ts'

export type { BaseModel, SizingModel } from './predict.ts'

export interface FleetSeries {
  readonly id: string
  readonly usage: Readonly<Partial<Record<Resource, DailyUsage>>>
}

const settings: Record<BaseName, ForestSettings> = {
  p95: { trees: 40, depth: 9, minLeafRows: 30, featuresPerSplit: 8, seed: 1 },
  p99: { trees: 40, depth: 9, minLeafRows: 30, featuresPerSplit: 8, seed: 1 },
  p995: { trees: 40, depth: 9, minLeafRows: 60, featuresPerSplit: 8, seed: 1 },
  peak: { trees: 40, depth: 9, minLeafRows: 15, featuresPerSplit: 8, seed: 1 },
}

/** A smaller fleet is not enough to train on; only the built-in model is used then. */
const minTrainingRows = 100
const minTrainingSeries = 20
/** Bounds the training time and the model size for a fleet of any size. */
const maxRows = 20_000

/** The model does not depend on the order of the series. */
export function trainModel(fleet: readonly FleetSeries[]): TrainedModel {
  const ordered = [...fleet].sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0))
  const rows = new Map(baseNames.map((name): [BaseName, DayRow[][]] => [name, []]))
  for (const { usage } of ordered)
    for (const resource of ['cpu', 'memory'] as const) {
      const own = usage[resource] && dayRows(usage[resource], resource)
      for (const name of basesOf(resource)) rows.get(name)!.push(own?.get(name) ?? [])
    }
  return trainOnRows(rows)
}

export function trainOnRows(rows: FleetRows, builtIn: BuiltInModel = builtInModel): TrainedModel {
  const models: TrainedModel = Object.fromEntries(
    [...rows].flatMap(([name, perSeries]) => {
      const model = trainBase(name, perSeries)
      return model === null ? [] : [[name, model]]
    }),
  )
  return { ...models, ...expectedRisks(models, rows, builtIn) }
}

function trainBase(name: BaseName, perSeries: readonly (readonly DayRow[])[]): TrainedBase | null {
  const total = perSeries.reduce((sum, rows) => sum + rows.length, 0)
  const stride = Math.ceil(total / maxRows)
  const kept = perSeries.flatMap((rows, series) =>
    series % stride === 0 ? rows.map((row) => ({ row, series })) : [],
  )
  if (kept.length < minTrainingRows || new Set(kept.map(({ series }) => series)).size < minTrainingSeries)
    return null
  const forest = trainForest(
    {
      features: kept.map(({ row }) => row.features),
      shares: kept.map(({ row }) => row.shares),
      needs: kept.map(({ row }) => needsOf(row.shares, name)),
      series: kept.map(({ series }) => series),
    },
    settings[name],
  )
  const storable = { forest, meanBase: kept.reduce((sum, { row }) => sum + row.base, 0) / kept.length }
  return { ...baseModelOf(storable), ...storable }
}
