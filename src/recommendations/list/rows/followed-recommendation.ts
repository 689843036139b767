import { entityTagOf } from '../../../domain/cursor.ts'
import type { DecidableState, RecommendationState } from '../../../domain/recommendation.ts'
import { hourMs } from '../../../domain/time.ts'
import type { StoredRecommendation } from '../../../store/port-recommendations.ts'
import type { Recommendation, SubjectSize } from '../schema.ts'

/** A recommendation and its outcome. Times are milliseconds since 1970, money is in US dollars. */
export interface FollowedRecommendation {
  /** The recommendation as last made; once accepted, as it was accepted. */
  readonly recommendation: Recommendation
  readonly decision: RecommendationDecision | null
  readonly applied: AppliedRecommendation | null
  /** Set if it was accepted, is not applied and is no longer recommended. */
  readonly ended?: EndedRecommendation | undefined
}

export interface EndedRecommendation {
  readonly at: number
  /** Its subject is not seen any more, is used again or has another size; or usage, prices or settings have changed. */
  readonly cause: 'gone' | 'used' | 'resized' | 'changed'
}

export interface RecommendationDecision {
  readonly state: DecidableState
  readonly reason: string | null
  readonly until: number | null
  readonly at: number
  /** Name of the key that decided; null if a decision has ended by itself. */
  readonly by: string | null
}

export interface AppliedRecommendation {
  readonly at: number
  /** The size that was applied; null if the subject was removed. */
  readonly size: SubjectSize | null
  readonly before: SubjectSize
  readonly perMonthUsd: number
  /** The time from which savings are counted; null if the size is no longer in force. */
  readonly from: number | null
  readonly totalUsd: number
}

export interface RecommendationRecord extends FollowedRecommendation {
  readonly version: number
  readonly advisedAt: number
}

export function recordFrom({ json, version, advisedAt }: StoredRecommendation): RecommendationRecord {
  const { advice, ...outcome } = JSON.parse(json)
  return { recommendation: advice, ...outcome, version, advisedAt }
}

/** In stored documents the recommendation has the key `advice`. */
export const storedFrom = (record: RecommendationRecord): StoredRecommendation => {
  const { version, advisedAt, recommendation: advice, ...outcome } = record
  return {
    id: advice.id,
    version,
    decided: outcome.decision !== null || outcome.applied !== null,
    advisedAt,
    json: JSON.stringify({ advice, ...outcome }),
  }
}

/** A decision counts until the recommendation is applied, and a snooze until its end. */
export function decisionInForce(
  { decision, applied }: FollowedRecommendation,
  now: number,
): RecommendationDecision | null {
  if (decision === null || decision.at < (applied?.at ?? 0)) return null
  return decision.until !== null && decision.until <= now ? null : decision
}

/** Changes with every decision, and if one ends because of what is recommended now; not when a snooze is over. */
export const decisionTag = (decision: RecommendationDecision | null): string =>
  entityTagOf(JSON.stringify(decision))

export function stateOf(
  followed: FollowedRecommendation,
  isRecommended: boolean,
  now: number,
): RecommendationState {
  if (followed.applied !== null && followed.applied.from !== null && !isRecommended) return 'applied'
  return decisionInForce(followed, now)?.state ?? 'open'
}

export const isRecommendedAgain = ({ recommendation, applied }: FollowedRecommendation): boolean =>
  applied !== null && JSON.stringify(applied.size) !== JSON.stringify(recommendation.recommended)

const monthMs = 730 * hourMs
/** The savings of one change are counted for a year. */
const maxCountedMs = 12 * monthMs

export function realisedUsd({ at, from, totalUsd, perMonthUsd }: AppliedRecommendation, now: number): number {
  if (from === null) return totalUsd
  const until = Math.min(now, at + maxCountedMs)
  return totalUsd + (perMonthUsd * Math.max(0, until - from)) / monthMs
}

export const realisedPerMonthUsd = ({ at, from, perMonthUsd }: AppliedRecommendation, now: number): number =>
  from === null || now >= at + maxCountedMs ? 0 : perMonthUsd
