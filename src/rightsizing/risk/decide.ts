import type { Resource } from '../input.ts'
import { expectedShares, type KnownSeries, SharesWorkspace } from '../model/experience.ts'
import { type BaseName, bases, excess, floors, gridSize, multiples } from '../model/grid.ts'
import type { BaseModel, ModelRisks } from '../model/predict.ts'
import { builtInExperience, type Experience } from '../model/prior.ts'
import type { SizingPreference } from '../workload.ts'
import {
  nominalRisks,
  nominalShortfalls,
  profileLevels,
  type RiskLevel,
  type RiskPrices,
  riskLevels,
} from './ladder.ts'

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
  /** Mean base of the fleet over this base; 1 where there is no fleet. */
  readonly smallness: number
  /** Expected share of the day above each multiple of the base, and mean usage above it in bases. */
  readonly shares: Float32Array
  readonly beyond: Float64Array
}

/** The size with the least expected loss m + time x share + depth x excess. */
export function decide(outlook: Outlook, prices: RiskPrices): Decision {
  const { shares, beyond } = outlook
  const [floor, time] = [outlook.floor / outlook.base, prices.time * outlook.smallness]
  const { depth, mostShare } = prices
  let smallest = gridSize
  while (smallest > 0 && shares[smallest - 1]! <= mostShare) smallest--
  let best = gridSize - 1
  let least = Number.POSITIVE_INFINITY
  // Nothing costs less than itself, so that larger ones than the least loss need not be looked at.
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

/** What is expected of a series' next day, as far as shares are at most this one, and how much of the fleet it is. */
export function outlookOf(
  model: BaseModel | null,
  name: BaseName,
  known: KnownSeries,
  experience: Experience = builtInExperience,
  most = 1,
  workspace = new SharesWorkspace(),
): Outlook {
  const shares = expectedShares(model, known, experience[name], most, workspace)
  return {
    base: known.base,
    floor: floors[bases[name].resource],
    smallness: smallnessOf(model, known.base),
    shares,
    beyond: excess(shares, most, workspace.beyond),
  }
}

/** Beyond these a series is as good as nothing, or as good as all, of what the fleet costs. */
const leastSmallness = 1 / 50
const mostSmallness = 50

function smallnessOf(model: BaseModel | null, base: number): number {
  return model === null ? 1 : Math.max(leastSmallness, Math.min(mostSmallness, model.meanBase / base))
}

/** A place on the ladder, from 0 (loose) to its last rung; between two rungs the answer lies between theirs. */
type LadderPosition = number

/** Where a preference stands on the ladder by the time above the request, and by the usage above it where that has its own place. */
export interface RiskPosition {
  readonly time: LadderPosition
  readonly depth: LadderPosition | undefined
}

/** The position on the scale for a profile or for numeric risks. Memory has no shortfall: a day is above or it is not. */
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

/** Stricter by so many rungs, or looser by a negative number. */
export function movedBy(rungs: number, { time, depth }: RiskPosition): RiskPosition {
  const within = (position: number): number => Math.max(0, Math.min(riskLevels.cpu.length - 1, position))
  return { time: within(time + rungs), depth: depth === undefined ? undefined : within(depth + rungs) }
}

const isShare = (one: number | undefined): one is number => one !== undefined && one >= 0

function positionOf(wanted: number, byRung: readonly number[]): LadderPosition {
  const falling = neverRising(byRung)
  const last = falling.length - 1
  if (wanted >= falling[0]!) return 0
  if (wanted <= falling[last]!) return last
  const next = falling.findIndex((risk) => risk <= wanted)
  const [loose, strict] = [falling[next - 1]!, falling[next]!]
  return next - 1 + Math.log(loose / wanted) / Math.log(loose / strict)
}

/** Answers of all rungs, or of the first ones, each at least the one before it: a stricter risk never asks for less. */
export function decideAllLevels(
  resource: Resource,
  outlooks: ReadonlyMap<BaseName, Outlook>,
  priceOfTime: (rung: RiskLevel) => number = ({ prices }) => prices.time,
  count = riskLevels[resource].length,
): Decision[] {
  const answers: Decision[] = []
  for (const rung of riskLevels[resource].slice(0, count)) {
    const own = decide(outlooks.get(rung.base)!, { ...rung.prices, time: priceOfTime(rung) })
    const before = answers.at(-1)
    answers.push(before && before.request > own.request ? before : own)
  }
  return answers
}

/** Between two rungs by equal ratios. */
function betweenRungs(values: readonly number[], position: LadderPosition): number {
  const place = Math.max(0, Math.min(values.length - 1, position))
  const below = Math.floor(place)
  const [a, b] = [values[below]!, values[Math.min(below + 1, values.length - 1)]!]
  return a * (b / a) ** (place - below)
}

/**
 * The answer at a position, given those of the ladder itself. Where usage above the request has a place of its own, rungs are by
 * that, and all of them at the price of time of the other place.
 */
export function requestAt(
  { time, depth }: RiskPosition,
  resource: Resource,
  outlooks: ReadonlyMap<BaseName, Outlook>,
  answers: readonly Decision[],
): number {
  if (depth === undefined) return betweenRungs(requestsOf(answers), time)
  const timePrices = riskLevels[resource].map(({ prices }) => prices.time)
  const price = betweenRungs(timePrices, time)
  return betweenRungs(
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
