import { type BaseName, baseNames, bases } from './bases.ts'
import type { DailyUsage } from './days.ts'
import { type Forest, type ForestSettings, predictShares, trainForest } from './forest.ts'
import { gridSize } from './grid.ts'
import type { Resource } from './input.ts'
import { priorShares } from './prior.ts'
import { type DayRow, dayRows, needsOf } from './rows.ts'

/** What an organisation's own past days teach of the next one. */
export interface BaseModel {
  readonly forest: Forest
  /** Mean base of the series learnt from: what a typical series costs. */
  readonly meanBase: number
}
export type SizingModel = Readonly<Partial<Record<BaseName, BaseModel>>> & {
  /** Expected share above the request by rung, mean over the series learnt from. */
  readonly risks?: Readonly<Record<Resource, readonly number[]>>
}

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

/** Below these a fleet says too little: the built-in experience alone is used. */
export const leastRows = 100
export const leastSeries = 20
/** Training time and model size stay bounded however large the fleet. */
const mostRows = 20_000

/** Same series in any order give the same model. */
export function trainModel(fleet: readonly FleetSeries[]): SizingModel {
  const ordered = [...fleet].sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0))
  return Object.fromEntries(
    baseNames.flatMap((name) => {
      const perSeries = ordered.map(({ usage }) => {
        const own = usage[bases[name].resource]
        return own === undefined ? [] : dayRows(own, name)
      })
      const model = trainBase(name, perSeries)
      return model === null ? [] : [[name, model]]
    }),
  )
}

export function trainBase(name: BaseName, perSeries: readonly (readonly DayRow[])[]): BaseModel | null {
  const total = perSeries.reduce((sum, rows) => sum + rows.length, 0)
  const stride = Math.ceil(total / mostRows)
  const kept = perSeries.flatMap((rows, series) =>
    series % stride === 0 ? rows.map((row) => ({ row, series })) : [],
  )
  if (kept.length < leastRows || new Set(kept.map(({ series }) => series)).size < leastSeries) return null
  const forest = trainForest(
    {
      features: kept.map(({ row }) => row.features),
      shares: kept.map(({ row }) => row.shares),
      needs: kept.map(({ row }) => needsOf(row.shares, name)),
      series: kept.map(({ series }) => series),
    },
    settings[name],
  )
  return { forest, meanBase: kept.reduce((sum, { row }) => sum + row.base, 0) / kept.length }
}

/** Until a series is older than this, and the fleet's rows are many, experience from elsewhere has a say. */
const youngDays = 7
const priorRows = 800

/** Expected share of the next day above each multiple of the base. */
export function expectedShares(
  model: BaseModel | null,
  name: BaseName,
  known: { readonly features: Float32Array; readonly age: number },
): Float32Array {
  const prior = priorShares(name, known.features)
  if (model === null) return prior
  const learnt = predictShares(model.forest, known.features)
  if (known.age > youngDays) return learnt
  const trust = model.forest.rows / (model.forest.rows + priorRows)
  return Float32Array.from({ length: gridSize }, (_, k) => trust * learnt[k]! + (1 - trust) * prior[k]!)
}
