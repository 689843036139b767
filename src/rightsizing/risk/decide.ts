import type { Resource } from '../input.ts'
import { type BuiltInModel, builtInModel } from '../model/built-in-model.ts'
import { expectedShares, type KnownSeries, SharesWorkspace } from '../model/expected-shares.ts'
import { type BaseName, bases, excess, floors, gridSize, multiples } from '../model/grid.ts'
import type { BaseModel, ModelRisks } from '../model/predict.ts'
import type { SizingPreference } from '../workload.ts'
import {
  nominalRisks,
  nominalShortfalls,
  profileLevels,
  type RiskLevel,
  type RiskPrices,
  riskLevels,
} from './levels.ts'

export interface Decision {
  readonly request: number
  /** Expected share above the request, and mean usage above it in cores or GiB. */
  readonly share: number
  readonly excess: number
  readonly loss: number
}

export interface Outlook {
  readonly base: number
  readonly floor: number
  /** Mean base of the fleet divided by this base, within bounds; 1 if there is no model of the fleet. */
  readonly fleetMeanRatio: number
  /** Expected share of the day above each multiple of the base, and mean usage above it as a multiple of the base. */
  readonly shares: Float32Array
  readonly beyond: Float64Array
}

/** The size with the least expected loss m + time x share + depth x excess. */
export function decide(outlook: Outlook, prices: RiskPrices): Decision {
  const { shares, beyond } = outlook
  const [floor, time] = [outlook.floor / outlook.base, prices.time * outlook.fleetMeanRatio]
  const { depth, mostShare } = prices
  let smallest = gridSize
  while (smallest > 0 && shares[smallest - 1]! <= mostShare) smallest--
  let best = gridSize - 1
  let least = Number.POSITIVE_INFINITY
  // The loss of a size is at least the size itself, so sizes above the least loss so far need not be tried.
  for (let k = smallest; k < gridSize && multiples[k]! < least; k++) {
    const loss = lossOf(multiples[k]!, floor, time * shares[k]!, depth * beyond[k]!)
    if (loss >= least) continue
    least = loss
    best = k
  }
  const request = Math.max(outlook.floor, outlook.base * multiples[best]!)
  return { request, share: shares[best]!, excess: outlook.base * beyond[best]!, loss: least }
}

const lossOf = (multiple: number, floor: number, time: number, depth: number): number =>
  Math.max(multiple, floor) + time + depth

/**
 * Returns what is expected of a series' next day, and how its base compares with the mean of its fleet. Shares above
 * `most` are not computed.
 */
export function outlookOf(
  model: BaseModel | null,
  name: BaseName,
  known: KnownSeries,
  builtIn: BuiltInModel = builtInModel,
  most = 1,
  workspace = new SharesWorkspace(),
): Outlook {
  const shares = expectedShares(model, known, builtIn[name], most, workspace)
  return {
    base: known.base,
    floor: floors[bases[name].resource],
    fleetMeanRatio: fleetMeanRatioOf(model, known.base),
    shares,
    beyond: excess(shares, most, workspace.beyond),
  }
}

/** Bounds of the ratio. Beyond them a series is nearly all, or nearly nothing, of what the fleet costs. */
const minFleetMeanRatio = 1 / 50
const maxFleetMeanRatio = 50

function fleetMeanRatioOf(model: BaseModel | null, base: number): number {
  return model === null ? 1 : Math.max(minFleetMeanRatio, Math.min(maxFleetMeanRatio, model.meanBase / base))
}

/**
 * A position among the risk levels, from 0 (loosest) to the last (strictest). Between two levels, the request lies
 * between theirs.
 */
type LevelPosition = number

/**
 * Position of a preference among the risk levels by the time above the request, and by the usage above it if that has
 * its own position.
 */
export interface RiskPosition {
  readonly time: LevelPosition
  readonly depth: LevelPosition | undefined
}

/**
 * Returns the position among the risk levels for a profile or for numeric risks. Memory has no shortfall, because a
 * day is either above the request or not.
 */
export function riskPositionOf(
  resource: Resource,
  preference: Pick<SizingPreference, 'profile' | 'risk' | 'shortfall'>,
  { risks, shortfalls = nominalShortfalls }: ModelRisks = {},
): RiskPosition {
  const { profile = 'balanced', risk, shortfall } = preference
  const time = isShare(risk)
    ? positionOf(risk, risks?.[resource] ?? nominalRisks[resource])
    : profileLevels[profile]
  const depth = resource === 'cpu' && isShare(shortfall) ? positionOf(shortfall, shortfalls) : undefined
  return { time, depth }
}

/** Moves a position by this many levels: a positive number is stricter, a negative one looser. */
export function shiftLevels(levels: number, { time, depth }: RiskPosition): RiskPosition {
  const within = (position: number): number => Math.max(0, Math.min(riskLevels.cpu.length - 1, position))
  return { time: within(time + levels), depth: depth === undefined ? undefined : within(depth + levels) }
}

/** A shortfall that is compared with the requests of all levels again, instead of being read from them. */
export const hasShortfall = (preference: SizingPreference | undefined): preference is SizingPreference =>
  isShare(preference?.shortfall)

const isShare = (share: number | undefined): share is number => share !== undefined && share >= 0

function positionOf(wanted: number, byLevel: readonly number[]): LevelPosition {
  const falling = neverRising(byLevel)
  const last = falling.length - 1
  if (wanted >= falling[0]!) return 0
  if (wanted <= falling[last]!) return last
  const next = falling.findIndex((risk) => risk <= wanted)
  const [loose, strict] = [falling[next - 1]!, falling[next]!]
  return next - 1 + Math.log(loose / wanted) / Math.log(loose / strict)
}

/**
 * Decisions of all levels, or of the first `count`. Each request is at least the one before, because a stricter risk
 * never asks for less.
 */
export function decideAllLevels(
  resource: Resource,
  outlooks: ReadonlyMap<BaseName, Outlook>,
  priceOfTime: (level: RiskLevel) => number = ({ prices }) => prices.time,
  count = riskLevels[resource].length,
): Decision[] {
  const answers: Decision[] = []
  for (const level of riskLevels[resource].slice(0, count)) {
    const own = decide(outlooks.get(level.base)!, { ...level.prices, time: priceOfTime(level) })
    const before = answers.at(-1)
    answers.push(before && before.request > own.request ? before : own)
  }
  return answers
}

/** Interpolates geometrically between two levels. */
export function interpolateLevels(values: readonly number[], position: LevelPosition): number {
  const place = Math.max(0, Math.min(values.length - 1, position))
  const below = Math.floor(place)
  const [a, b] = [values[below]!, values[Math.min(below + 1, values.length - 1)]!]
  return a * (b / a) ** (place - below)
}

/**
 * The request at a position, given the decisions of all levels. If usage above the request has a position of its own,
 * levels are counted by that, and all of them use the price of time at the other position.
 */
export function requestAt(
  { time, depth }: RiskPosition,
  resource: Resource,
  outlooks: ReadonlyMap<BaseName, Outlook>,
  answers: readonly Decision[],
): number {
  if (depth === undefined) return interpolateLevels(requestsOf(answers), time)
  const timePrices = riskLevels[resource].map(({ prices }) => prices.time)
  const price = interpolateLevels(timePrices, time)
  return interpolateLevels(
    requestsOf(decideAllLevels(resource, outlooks, () => price, Math.ceil(depth) + 1)),
    depth,
  )
}

const requestsOf = (answers: readonly Decision[]): number[] => answers.map(({ request }) => request)

function neverRising(risks: readonly number[]): number[] {
  const falling: number[] = []
  for (const risk of risks) falling.push(Math.max(1e-6, Math.min(risk, falling.at(-1) ?? 1)))
  return falling
}
