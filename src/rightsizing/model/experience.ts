import type { Resource } from '../input.ts'
import type { BaseName } from './bases.ts'
import type { Forest } from './forest.ts'
import { gridSize } from './grid.ts'
import { predictShares } from './predict.ts'

/** What an organisation's own past days teach of the next one. */
export interface BaseModel {
  readonly forest: Forest
  /** Mean base of the series learnt from: what a typical series costs. */
  readonly meanBase: number
}

export type SizingModel = Readonly<Partial<Record<BaseName, BaseModel>>> & {
  /** Expected share above the request by rung, mean over the series learnt from. */
  readonly risks?: Readonly<Partial<Record<Resource, readonly number[]>>>
}

/** The built-in model weighs as much as this many days of the organisation's own series. */
const priorRows = 1500

/** Expected share of the next day above each multiple of the base. */
export function expectedShares(model: BaseModel | null, features: Float32Array, prior: Forest): Float32Array {
  const expected = predictShares(prior, features)
  if (model === null) return expected
  const learnt = predictShares(model.forest, features)
  const trust = model.forest.rows / (model.forest.rows + priorRows)
  for (let k = 0; k < gridSize; k++) expected[k] = trust * learnt[k]! + (1 - trust) * expected[k]!
  return expected
}
