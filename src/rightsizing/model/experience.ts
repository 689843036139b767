import type { Resource } from '../input.ts'
import type { BaseName } from './bases.ts'
import type { Forest } from './forest.ts'
import { gridSize } from './grid.ts'
import { ForestPredictor } from './predict.ts'

/** What an organisation's own past days teach of the next one, as it is learnt and stored. */
interface LearntBase {
  readonly forest: Forest
  /** Mean base of the series learnt from: what a typical series costs. */
  readonly meanBase: number
}

/** The same, ready to predict from. */
export interface BaseModel extends LearntBase {
  readonly predictor: ForestPredictor
}

interface ModelRisks {
  /** Expected share above the request by rung, mean over the series learnt from. */
  readonly risks?: Readonly<Partial<Record<Resource, readonly number[]>>>
}

export type LearntSizes = Readonly<Partial<Record<BaseName, LearntBase>>> & ModelRisks
export type SizingModel = Readonly<Partial<Record<BaseName, BaseModel>>> & ModelRisks

export const baseModelOf = ({ forest, meanBase }: LearntBase): BaseModel => ({
  forest,
  meanBase,
  predictor: new ForestPredictor(forest),
})

/** Experience from elsewhere weighs as much as so many days of the organisation's own series. */
const priorRows = 1500

/** Expected share of the next day above each multiple of the base. */
export function expectedShares(
  model: BaseModel | null,
  features: Float32Array,
  prior: ForestPredictor,
): Float32Array {
  const expected = prior.predictShares(features)
  if (model === null) return expected
  const learnt = model.predictor.predictShares(features)
  const trust = model.forest.rows / (model.forest.rows + priorRows)
  for (let k = 0; k < gridSize; k++) expected[k] = trust * learnt[k]! + (1 - trust) * expected[k]!
  return expected
}
