import type { Resource } from '../input.ts'
import type { BuiltInBase } from './built-in-model.ts'
import type { SeriesFeatures } from './features.ts'
import { FeaturesWorkspace, gridSize, logMultiples } from './grid.ts'
import { type BaseModel, writeMeanShares } from './predict.ts'

/** The built-in model weighs as much as this many days of the organisation's own series. */
const builtInRows = 1500

/** What is known about a series before a day. */
export interface KnownSeries {
  readonly base: number
  readonly features: Float32Array
  /**
   * What its own past alone predicts for the next day; absent if only the trained and the built-in model are wanted.
   */
  readonly ownPast?: OwnPast
}

interface OwnPast {
  readonly shares: Float32Array
  readonly days: number
}

/** Weight of a series' own past, however many days the model was trained on. */
const ownPastWeight = 0.2
/** A single day says little about the next and does not count; this many days or more count in full. */
const fullPastDays = 7

/**
 * Expected share of the next day above each multiple of the base, computed from the largest multiple down to the first
 * share above `most`; smaller multiples have a larger share, and are left at 1. The built-in model counts to the
 * degree that the series is similar to those it was trained on; for the rest, the series' own past is used instead.
 */
export function expectedShares(
  model: BaseModel | null,
  { features, ownPast }: Pick<KnownSeries, 'features' | 'ownPast'>,
  builtIn: BuiltInBase,
  most = 1,
  { shares, trained }: SharesWorkspace = new SharesWorkspace(),
): Float32Array {
  shares.fill(1)
  const ownLeaves = model?.predictor.leavesOf(features)
  const trainedWeight = model === null ? 0 : model.rows / (model.rows + builtInRows)
  const otherLeaves = builtIn.predictor.leavesOf(features)
  const past = ownPast?.shares
  const pastWeight = ownPast === undefined ? 0 : Math.min(1, (ownPast.days - 1) / (fullPastDays - 1))
  const strangeness = past === undefined ? 0 : 1 - familiarityOf(features, builtIn)
  for (let to = gridSize, from = lastBlock; to > 0 && !(shares[to]! > most); to = from, from -= blockSize) {
    writeMeanShares(otherLeaves, shares, from, to)
    if (past !== undefined) mixIn(shares, past, pastWeight * strangeness, from, to)
    if (ownLeaves !== undefined) {
      writeMeanShares(ownLeaves, trained, from, to)
      mixIn(shares, trained, trainedWeight, from, to)
    }
    if (past !== undefined) mixIn(shares, past, pastWeight * ownPastWeight, from, to)
  }
  return shares
}

/** Memory in which expected shares are computed. */
export class SharesWorkspace {
  readonly shares = new Float32Array(gridSize)
  readonly trained = new Float32Array(gridSize)
  readonly past = new Float32Array(gridSize)
  readonly beyond = new Float64Array(gridSize)
  readonly features = new FeaturesWorkspace()
}

const blockSize = 16
const lastBlock = gridSize - 1 - ((gridSize - 1) % blockSize)

function mixIn(shares: Float32Array, other: Float32Array, weight: number, from: number, to: number): void {
  for (let k = from; k < to; k++) shares[k] = weight * other[k]! + (1 - weight) * shares[k]!
}

/** A typical day has about this share of its features outside the range of 98% of the days trained on. */
const usualShare = 0.05
/** If this share of the features is outside the range, the built-in model does not apply to the series. */
const unlikeShare = 0.25

/**
 * How similar a series is to those that the built-in model was trained on: 1 if at most 5% of its features lie
 * outside the range of 98% of the days trained on, 0 from 25% on, and linear in between. Unknown features do not count.
 */
export function familiarityOf(
  features: Float32Array,
  { lows, highs }: Pick<BuiltInBase, 'lows' | 'highs'>,
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

/**
 * Expected share of the next day above each multiple of the base by the series' own past alone. It assumes no
 * distribution, only that the next day is like the ones before it. CPU: the percentiles of recent time. Memory: each of n
 * days and the next one is equally likely to be the highest, so the chance that the next one is the highest is
 * 1 / (n + 1).
 */
export function ownPastOf(
  resource: Resource,
  { sizes, shapes }: SeriesFeatures,
  base: number,
  shares = new Float32Array(gridSize),
): OwnPast {
  const days = Math.max(1, shapes.age ?? 1)
  const points = new SharePoints(base)
  if (resource === 'cpu') addCpuPoints(points, sizes, days)
  else addMemoryPoints(points, sizes, days, stepBeyond(shapes.spreadPeak!))
  points.write(shares)
  return { shares, days }
}

const cpuShares = { s50: 0.5, s90: 0.1, s95: 0.05, s98: 0.02, s99: 0.01, s995: 0.005 } as const
const cpuShareNames = Object.keys(cpuShares) as (keyof typeof cpuShares)[]

function addCpuPoints(points: SharePoints, sizes: SeriesFeatures['sizes'], days: number): void {
  points.add(sizes.s50! / 2, 1)
  for (const name of cpuShareNames) {
    const share = cpuShares[name]
    points.add(sizes[name]!, share + (1 - share) * (0.03 / (days + 1)))
  }
  points.add(sizes.peak14!, 0.001 + 0.015 / (days + 1))
  points.add(Math.max(sizes.peak14!, sizes.peakEver!) * 1.5, 0)
}

/**
 * Above the highest peak seen, the chance falls by 45% with each step. A step is as wide as peaks differ from day to
 * day: 1% to 10%.
 */
const stepBeyond = (spread: number): number =>
  Math.max(0.01, Math.min(0.1, Number.isNaN(spread) ? 0.1 : spread))

function addMemoryPoints(points: SharePoints, sizes: SeriesFeatures['sizes'], days: number, step: number) {
  const chance = (places: number): number => Math.min(0.5, places / (days + 1))
  points.add(sizes.leastPeak!, 1 - chance(1))
  points.add(sizes.medianPeak!, 0.5)
  points.add(sizes.thirdPeak!, chance(3))
  points.add(sizes.secondPeak!, chance(2))
  points.add(sizes.peak14!, chance(1))
  for (let i = 1; i <= 8; i++) points.add(sizes.peak14! * Math.exp(step * i), chance(1) * 0.55 ** i)
  points.add(sizes.peak14! * Math.exp(step * 12), 0)
}

/** Points of a curve: shares of the next day above ascending sizes. */
class SharePoints {
  readonly #base: number
  /** Logarithms of multiples of the base. */
  readonly #ats: number[] = []
  readonly #shares: number[] = []

  constructor(base: number) {
    this.#base = base
  }

  add(size: number, share: number): void {
    this.#ats.push(Math.log(Math.max(size / this.#base, 1e-4)))
    this.#shares.push(share)
  }

  /** Interpolates linearly between the points over the logarithm of the multiple. The result never rises. */
  write(shares: Float32Array): void {
    const [ats, pointShares] = [this.#ats, this.#shares]
    let next = 0
    let reachedAt = Number.NEGATIVE_INFINITY
    let reachedShare = 1
    let least = 1
    for (let k = 0; k < gridSize; k++) {
      const at = logMultiples[k]!
      for (; next < ats.length && ats[next]! <= at; next++) {
        reachedAt = ats[next]!
        reachedShare = pointShares[next]!
        least = Math.min(least, reachedShare)
      }
      let share = reachedShare
      if (next < ats.length) {
        const width = ats[next]! - reachedAt
        const part = width < Number.POSITIVE_INFINITY && width > 0 ? (at - reachedAt) / width : 0
        share += (pointShares[next]! - reachedShare) * part
      }
      shares[k] = Math.max(0, Math.min(least, share))
    }
  }
}
