import type { Resource } from '../input.ts'
import type { BaseName } from './bases.ts'
import type { Forest } from './forest.ts'
import { gridSize } from './grid.ts'
import { ForestPredictor, writeMeanShares } from './predict.ts'
import type { BaseExperience } from './prior.ts'

/** What an organisation's own past days teach of the next one, as it is learnt and stored. */
interface LearntBase {
  readonly forest: Forest
  /** Mean base of the series learnt from: what a typical series costs. */
  readonly meanBase: number
}

/** The same, ready to predict from. */
export interface BaseModel {
  /** Days learnt from. */
  readonly rows: number
  readonly meanBase: number
  readonly predictor: ForestPredictor
}

/** A model that was learnt just now, and is still to be stored. */
export type TrainedBase = BaseModel & LearntBase

export interface ModelRisks {
  /** Expected share above the request by rung, mean over the series learnt from. */
  readonly risks?: Readonly<Partial<Record<Resource, readonly number[]>>>
  /** Expected CPU usage above the request over all usage, by rung. */
  readonly shortfalls?: readonly number[]
}

export type LearntSizes = Readonly<Partial<Record<BaseName, LearntBase>>> & ModelRisks
export type SizingModel = Readonly<Partial<Record<BaseName, BaseModel>>> & ModelRisks
export type TrainedModel = Readonly<Partial<Record<BaseName, TrainedBase>>> & ModelRisks

export const baseModelOf = ({ forest, meanBase }: LearntBase): BaseModel => ({
  rows: forest.rows,
  meanBase,
  predictor: new ForestPredictor(forest),
})

/** Experience from elsewhere weighs as much as so many days of the organisation's own series. */
const priorRows = 1500

/** What is known of a series before a day. */
export interface KnownSeries {
  readonly base: number
  readonly features: Float32Array
  /** What its own past alone would make of the next day; absent where only what was learnt is asked for. */
  readonly ownPast?: OwnPast
}

export interface OwnPast {
  readonly shares: Float32Array
  readonly days: number
}

/** However much was learnt, this much of what is expected of a series comes from its own past. */
const ownPastWeight = 0.2
/** One day says little of the next; so many days count in full. */
const fullPastDays = 7

/**
 * Expected share of the next day above each multiple of the base, worked out from the largest down to the first share above
 * `most`; smaller multiples have a larger share, and are left at 1. Experience from elsewhere counts as far as the series is
 * like those it comes from; as far as it is not, the series' own past stands for it.
 */
export function expectedShares(
  model: BaseModel | null,
  { features, ownPast }: Pick<KnownSeries, 'features' | 'ownPast'>,
  experience: BaseExperience,
  most = 1,
  { shares, learnt }: SharesWorkspace = new SharesWorkspace(),
): Float32Array {
  shares.fill(1)
  const own = model?.predictor.leavesOf(features)
  const learntWeight = model === null ? 0 : model.rows / (model.rows + priorRows)
  const others = experience.predictor.leavesOf(features)
  const past = ownPast?.shares
  const told = ownPast === undefined ? 0 : Math.min(1, (ownPast.days - 1) / (fullPastDays - 1))
  const strangeness = past === undefined ? 0 : 1 - familiarityOf(features, experience)
  for (let to = gridSize, from = lastBlock; to > 0 && !(shares[to]! > most); to = from, from -= blockSize) {
    writeMeanShares(others, shares, from, to)
    if (past !== undefined) mixIn(shares, past, told * strangeness, from, to)
    if (own !== undefined) {
      writeMeanShares(own, learnt, from, to)
      mixIn(shares, learnt, learntWeight, from, to)
    }
    if (past !== undefined) mixIn(shares, past, told * ownPastWeight, from, to)
  }
  return shares
}

/** Memory that expected shares are worked out in. */
export class SharesWorkspace {
  readonly shares = new Float32Array(gridSize)
  readonly learnt = new Float32Array(gridSize)
  readonly past = new Float32Array(gridSize)
  readonly beyond = new Float64Array(gridSize)
}

const blockSize = 16
const lastBlock = gridSize - 1 - ((gridSize - 1) % blockSize)

function mixIn(shares: Float32Array, other: Float32Array, weight: number, from: number, to: number): void {
  for (let k = from; k < to; k++) shares[k] = weight * other[k]! + (1 - weight) * shares[k]!
}

/** A day like those learnt from lies outside the range of 98% of them with about this share of its features. */
const usualShare = 0.05
/** With this share outside, experience says nothing of it. */
const unlikeShare = 0.25

/**
 * How like a series is to those that experience comes from: 1 where no more than 5% of its features lie outside the range of 98%
 * of the days learnt from, 0 from 25% on, and by a straight line between. Unknown features do not count.
 */
export function familiarityOf(
  features: Float32Array,
  { lows, highs }: Pick<BaseExperience, 'lows' | 'highs'>,
): number {
  let [known, outside] = [0, 0]
  for (let i = 0; i < lows.length; i++) {
    const feature = features[i]!
    if (Number.isNaN(feature)) continue
    known++
    if (feature < lows[i]! || feature > highs[i]!) outside++
  }
  if (known === 0) return 0
  return Math.max(0, Math.min(1, (unlikeShare - outside / known) / (unlikeShare - usualShare)))
}
