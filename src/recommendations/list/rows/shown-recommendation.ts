import { roundSum } from '../../../domain/money.ts'
import type { RecommendationState } from '../../../domain/recommendation.ts'
import type { ListedRecommendation } from '../list-codec.ts'
import type { Recommendation, RecommendationView } from '../schema.ts'
import {
  decisionInForce,
  decisionTag,
  type EndedRecommendation,
  type FollowedRecommendation,
  type RecommendationRecord,
  realisedPerMonthUsd,
  realisedUsd,
  stateOf,
} from './followed-recommendation.ts'

export interface ShownRecommendation extends ListedRecommendation {
  /** The recommendation as it was accepted or applied; undefined if the one on the list is shown. */
  readonly decidedOn: Recommendation | undefined
  readonly isRecommended: boolean
  readonly state: RecommendationState
  readonly record: FollowedRecommendation | undefined
}

/**
 * Returns what is recommended now, or what was accepted of it, with its state, and what was applied or accepted and is no
 * longer recommended. The latter saves nothing.
 */
export function showRecommendations(
  rows: readonly ListedRecommendation[],
  records: ReadonlyMap<string, RecommendationRecord>,
  now: number,
): ShownRecommendation[] {
  const shown: ShownRecommendation[] = []
  const advised = new Set<string>()
  for (const row of rows) {
    const record = records.get(row.recommendation.id)
    advised.add(row.recommendation.id)
    const state = record === undefined ? 'open' : stateOf(record, true, now)
    const decidedOn = acceptedRecommendation(row.recommendation, record, now)
    const { recommendation, worth } =
      decidedOn === undefined ? row : { recommendation: decidedOn, worth: decidedOn.worth_per_month }
    shown.push({ ...row, recommendation, worth, state, record, isRecommended: true, decidedOn })
  }
  for (const [id, record] of records) {
    const state = stateOf(record, false, now)
    if (advised.has(id) || !(state === 'applied' || state === 'accepted')) continue
    const worth = state === 'applied' ? realisedPerMonthUsd(record.applied!, now) : 0
    const recommendation = { ...record.recommendation, worth_per_month: roundSum(worth) }
    shown.push({
      recommendation,
      decidedOn: recommendation,
      worth,
      coveredBy: null,
      state,
      record,
      isRecommended: false,
    })
  }
  return shown
}

/** Returns the recommendation as it was accepted, until it is applied. A removal has no sizes, and is shown as it is now. */
const acceptedRecommendation = (
  { kind }: Pick<Recommendation, 'kind'>,
  record: FollowedRecommendation | undefined,
  now: number,
): Recommendation | undefined =>
  record !== undefined && kind !== 'idle' && decisionInForce(record, now)?.state === 'accepted'
    ? record.recommendation
    : undefined

export const recommendationInForce = (
  latest: Recommendation,
  record: FollowedRecommendation | undefined,
  now: number,
): Recommendation => acceptedRecommendation(latest, record, now) ?? latest

export function viewRecommendation(
  recommendation: Recommendation,
  state: RecommendationState,
  record: FollowedRecommendation | undefined,
  now: number,
  isRecommended = record?.ended === undefined,
): RecommendationView {
  const decision = record === undefined ? null : decisionInForce(record, now)
  const applied = record?.applied ?? null
  const changedAt = decision?.at ?? (state === 'applied' ? applied!.at : null)
  const isOutdated = state === 'accepted' && !isRecommended
  const end = isOutdated ? (record?.ended ?? { at: decision!.at, cause: 'changed' as const }) : null
  return {
    ...recommendation,
    ...(end && { worth_per_month: 0, reasons: [endReason(end, recommendation), ...recommendation.reasons] }),
    state,
    state_reason: decision?.reason ?? null,
    state_until: timeText(decision?.until ?? null),
    state_changed_at: timeText(changedAt),
    state_changed_by: decision?.by ?? null,
    outdated_since: timeText(end?.at ?? null),
    realised: applied && {
      since: timeText(applied.at)!,
      per_month: roundSum(realisedPerMonthUsd(applied, now)),
      total: roundSum(realisedUsd(applied, now)),
    },
    etag: decisionTag(record?.decision ?? null),
  }
}

function endReason({ at, cause }: EndedRecommendation, { kind, workload }: Recommendation): string {
  const isStopped = cause === 'gone' && kind === 'idle' && workload !== null
  const more = isStopped ? '. Its removal counts as applied after a day, if its cluster still reports' : ''
  return `No longer recommended since ${timeText(at)!.slice(0, 10)}: ${endWords[cause]}${more}.`
}

const endWords: Readonly<Record<EndedRecommendation['cause'], string>> = {
  gone: 'it no longer reports usage',
  used: 'it is used again',
  resized: 'it has another size now, which is not the accepted one',
  changed: 'its usage, its price, the sizing profile or the sizing rules have changed, or it no longer runs',
}

const timeText = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString())
