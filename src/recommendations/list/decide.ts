import type { Precondition } from '../../domain/cursor.ts'
import { type FieldError, Problem } from '../../domain/problem.ts'
import type { DecidableState } from '../../domain/recommendation.ts'
import { dayMs, parseTime } from '../../domain/time.ts'
import type { DecidedRecommendation } from './change-schema.ts'
import { maxListed } from './collect-recommendations.ts'
import type { RecommendationDeps } from './deps.ts'
import {
  decisionTag,
  isRecommendedAgain,
  type RecommendationDecision,
  type RecommendationRecord,
  recordFrom,
  stateOf,
  storedFrom,
} from './rows/followed-recommendation.ts'
import { viewRecommendation } from './rows/shown-recommendation.ts'
import type { RecommendationView } from './schema.ts'

/** A decision as a caller writes it, not yet checked. */
export interface DecisionRequest {
  readonly state: DecidableState
  readonly reason?: string | undefined
  readonly until?: string | undefined
}

/** Returns what must hold for the last decision on a recommendation; undefined if nothing must. */
type Preconditions = (id: string) => Precondition | undefined

type DecideDeps = Pick<RecommendationDeps, 'store' | 'now'>

const maxSnoozeDays = 366
/** In each attempt, one of the requests that change the same recommendation at once succeeds. */
const maxAttempts = 100

/** Accepts, dismisses, snoozes or reopens recommendations; `by` is the name of the caller's key. */
export async function decideRecommendations(
  { store, now }: DecideDeps,
  organisation: string,
  ids: readonly string[],
  request: DecisionRequest,
  by: string,
  preconditionOf: Preconditions = () => undefined,
): Promise<DecidedRecommendation> {
  const at = now()
  const decision = parseDecision(request, by, at)
  const decided = new Map<string, RecommendationRecord>()
  const refused = new Map<string, RecommendationRecord>()
  let left: readonly string[] = [...new Set(ids)]
  for (let attempt = 0; left.length > 0 && attempt < maxAttempts; attempt++) {
    const records: RecommendationRecord[] = []
    for (const record of (await store.recommendations.find(organisation, left)).map(recordFrom)) {
      const isExpected = preconditionOf(record.recommendation.id)?.(decisionTag(record.decision)) ?? true
      if (isExpected) records.push({ ...record, decision })
      else refused.set(record.recommendation.id, record)
    }
    if (records.length === 0) {
      left = []
      break
    }
    const missed = new Set(
      await store.recommendations.write(organisation, records.map(storedFrom), maxListed),
    )
    for (const record of records)
      if (!missed.has(record.recommendation.id)) decided.set(record.recommendation.id, record)
    // Another node has changed these records in between, so they are tried again.
    left = [...missed]
  }
  if (left.length > 0)
    throw new Problem('conflict', 'Other requests are changing the same recommendations. Retry.')
  const view = (records: ReadonlyMap<string, RecommendationRecord>) =>
    [...records.values()]
      .sort((a, b) => (a.recommendation.id < b.recommendation.id ? -1 : 1))
      .map((record) =>
        viewRecommendation(
          record.recommendation,
          stateOf(record, isRecommendedAgain(record), at),
          record,
          at,
        ),
      )
  return {
    recommendations: view(decided),
    unknown: [...new Set(ids)].filter((id) => !decided.has(id) && !refused.has(id)),
    changed_meanwhile: view(refused),
  }
}

/** Decides on a single recommendation, or throws if `isExpected` does not hold for the last decision on it. */
export async function decideOne(
  deps: DecideDeps,
  organisation: string,
  id: string,
  request: DecisionRequest,
  by: string,
  isExpected?: Precondition,
): Promise<RecommendationView> {
  const answer = await decideRecommendations(deps, organisation, [id], request, by, () => isExpected)
  const [[changed], [current]] = [answer.recommendations, answer.changed_meanwhile]
  if (current !== undefined)
    throw new Problem('precondition-failed', `${lastDecision(current)} Nothing was changed.`, {
      extra: { current },
    })
  if (changed === undefined)
    throw new Problem(
      'not-found',
      'No recommendation has this id. List the recommendations first: ids are valid only after that.',
    )
  return changed
}

function lastDecision({
  state,
  state_changed_by: by,
  state_changed_at: at,
  state_reason,
}: RecommendationView): string {
  if (by === null) return `The decision on this recommendation has ended: it is ${state}.`
  const reason = state_reason === null ? '.' : `, with the reason: ${state_reason}.`
  return `The key "${by}" has ${state === 'open' ? 'reopened' : state} this recommendation at ${at}${reason}`
}

function parseDecision(
  { state, reason, until }: DecisionRequest,
  by: string,
  at: number,
): RecommendationDecision {
  const errors: FieldError[] = []
  const needsReason = state === 'dismissed' || state === 'snoozed'
  const text = reason?.trim() || null
  if (needsReason && text === null)
    errors.push({ pointer: '/reason', message: `is required for the state ${state}` })
  const end = until === undefined ? null : (parseTime(until) ?? Number.NaN)
  if (state === 'snoozed' ? !isSnooze(end, at) : end !== null)
    errors.push({
      pointer: '/until',
      message:
        state === 'snoozed'
          ? `must be a time of RFC 3339 in the next ${maxSnoozeDays} days`
          : 'is only for the state snoozed',
    })
  if (errors.length > 0) throw new Problem('invalid', 'The decision is invalid.', { errors })
  return { state, reason: text, until: end, at, by }
}

const isSnooze = (end: number | null, at: number): boolean =>
  end !== null && end > at && end <= at + maxSnoozeDays * dayMs
