import { entityTagOf } from '../../../domain/cursor.ts'
import type { AdviceState, DecidableState } from '../../../domain/recommendation.ts'
import { hourMs } from '../../../domain/time.ts'
import type { StoredRecommendation } from '../../../store/port-recommendations.ts'
import type { Advice, AdvisedSize } from '../schema.ts'

/** A recommendation and its outcome. Times are milliseconds since 1970, money is in US dollars. */
export interface FollowedAdvice {
  /** The recommendation as last made; once accepted, as it was accepted. */
  readonly advice: Advice
  readonly decision: AdviceDecision | null
  readonly applied: AppliedAdvice | null
  /** Set if it was accepted, is not applied and is no longer recommended. */
  readonly ended?: EndedAdvice | undefined
}

export interface EndedAdvice {
  readonly at: number
  /** Its subject is not seen any more, is used again or has another size; or usage, prices or settings have changed. */
  readonly cause: 'gone' | 'used' | 'resized' | 'changed'
}

export interface AdviceDecision {
  readonly state: DecidableState
  readonly reason: string | null
  readonly until: number | null
  readonly at: number
  /** Name of the key that decided; null if a decision has ended by itself. */
  readonly by: string | null
}

export interface AppliedAdvice {
  readonly at: number
  /** The size that was applied; null if the subject was removed. */
  readonly size: AdvisedSize | null
  readonly before: AdvisedSize
  readonly perMonthUsd: number
  /** The time from which savings are counted; null if the size is no longer in force. */
  readonly from: number | null
  readonly totalUsd: number
}

export interface AdviceRecord extends FollowedAdvice {
  readonly version: number
  readonly advisedAt: number
}

export const recordFrom = ({ json, version, advisedAt }: StoredRecommendation): AdviceRecord => ({
  ...(JSON.parse(json) as FollowedAdvice),
  version,
  advisedAt,
})

export const storedFrom = ({ version, advisedAt, ...followed }: AdviceRecord): StoredRecommendation => ({
  id: followed.advice.id,
  version,
  decided: followed.decision !== null || followed.applied !== null,
  advisedAt,
  json: JSON.stringify(followed),
})

/** A decision counts until the recommendation is applied, and a snooze until its end. */
export function decisionInForce({ decision, applied }: FollowedAdvice, now: number): AdviceDecision | null {
  if (decision === null || decision.at < (applied?.at ?? 0)) return null
  return decision.until !== null && decision.until <= now ? null : decision
}

/** Changes with every decision, and if one ends because of what is recommended now; not when a snooze is over. */
export const decisionTag = (decision: AdviceDecision | null): string => entityTagOf(JSON.stringify(decision))

export function stateOf(followed: FollowedAdvice, isAdvised: boolean, now: number): AdviceState {
  if (followed.applied !== null && followed.applied.from !== null && !isAdvised) return 'applied'
  return decisionInForce(followed, now)?.state ?? 'open'
}

export const isAdvisedAgain = ({ advice, applied }: FollowedAdvice): boolean =>
  applied !== null && JSON.stringify(applied.size) !== JSON.stringify(advice.recommended)

const monthMs = 730 * hourMs
/** The savings of one change are counted for a year. */
const maxCountedMs = 12 * monthMs

export function realisedUsd({ at, from, totalUsd, perMonthUsd }: AppliedAdvice, now: number): number {
  if (from === null) return totalUsd
  const until = Math.min(now, at + maxCountedMs)
  return totalUsd + (perMonthUsd * Math.max(0, until - from)) / monthMs
}

export const realisedPerMonthUsd = ({ at, from, perMonthUsd }: AppliedAdvice, now: number): number =>
  from === null || now >= at + maxCountedMs ? 0 : perMonthUsd
