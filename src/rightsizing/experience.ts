import type { BaseName } from './bases.ts'
import { type Forest, predictShares } from './forest.ts'
import { gridSize } from './grid.ts'
import type { Resource } from './input.ts'
import { priorShares } from './prior.ts'

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
