import type { Resource } from '../input.ts'
import type { BaseName } from '../model/bases.ts'
import type { ModelRisks } from '../model/experience.ts'
import type { SizingPreference } from '../workload.ts'
import { type Decision, decide, type Outlook } from './decide.ts'
import { nominalRisks, nominalShortfalls, profileLevels, type RiskLevel, riskLevels } from './ladder.ts'

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
export function betweenRungs(values: readonly number[], position: LadderPosition): number {
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
