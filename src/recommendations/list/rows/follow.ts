import { defaultIdleDays } from '../../../domain/recommendation.ts'
import { dayMs } from '../../../domain/time.ts'
import type { Recommendation, SubjectSize } from '../schema.ts'
import {
  type AppliedRecommendation,
  decisionInForce,
  type EndedRecommendation,
  type RecommendationDecision,
  type RecommendationRecord,
  realisedPerMonthUsd,
  realisedUsd,
} from './followed-recommendation.ts'

interface ObservedSubject {
  /** Null if the subject is gone; undefined if nothing is known about it. */
  readonly size: SubjectSize | null | undefined
  readonly advised: Recommendation | undefined
}

/**
 * Returns the new record, or undefined if it does not change. The steps are: a size that is no longer in force stops
 * saving; a size that has come into force is applied; then the new recommendation is stored, and a decision ends that it
 * contradicts. If there is none, what was accepted has ended.
 */
export function follow(
  record: RecommendationRecord | undefined,
  { size, advised }: ObservedSubject,
  now: number,
): RecommendationRecord | undefined {
  if (record === undefined)
    return advised && { recommendation: advised, decision: null, applied: null, version: 0, advisedAt: now }
  let { applied, recommendation, advisedAt } = record
  if (applied !== null && applied.from !== null && !isStillInForce(applied, size))
    applied = { ...applied, from: null, totalUsd: realisedUsd(applied, now) }
  if (
    isInForce(recommendation, size) &&
    wasRecommended(record, now) &&
    !(applied !== null && applied.from !== null && isSame(applied.size, recommendation.recommended))
  )
    applied = applyRecommendation(record, applied, now)
  const decision =
    advised !== undefined && raisesMore(recommendation, advised)
      ? endedDecision(record, now)
      : record.decision
  const isFrozen = decisionInForce({ recommendation, applied, decision }, now)?.state === 'accepted'
  if (advised !== undefined && !isFrozen && (isOld(advisedAt, now) || differs(recommendation, advised))) {
    recommendation = advised
    advisedAt = now
  }
  const ended = isFrozen && advised === undefined ? endOf(record, size, now) : undefined
  const next = { ...record, recommendation, decision, applied, advisedAt, ended }
  return (Object.keys(next) as (keyof RecommendationRecord)[]).every((name) => next[name] === record[name])
    ? undefined
    : next
}

/** Keeps what was decided as the reason, so that whoever decided sees what became of it. */
function endedDecision(record: RecommendationRecord, now: number): RecommendationDecision | null {
  const decision = decisionInForce(record, now)
  if (decision === null || decision.state === 'open') return null
  const { state, by, at, reason } = decision
  const before = `${state} by ${by} on ${new Date(at).toISOString().slice(0, 10)}`
  return {
    state: 'open',
    reason: `Open again because more is needed now; it was ${before}${reason === null ? '' : `: ${reason}`}`,
    until: null,
    at: now,
    by: null,
  }
}

function endOf(
  { recommendation, ended }: RecommendationRecord,
  size: SubjectSize | null | undefined,
  now: number,
): EndedRecommendation {
  const cause = endCause(recommendation, size)
  return ended?.cause === cause ? ended : { at: ended?.at ?? now, cause }
}

function endCause({ kind, current, recommended }: Recommendation, size: SubjectSize | null | undefined) {
  if (size === undefined || size === null) return 'gone'
  if (kind === 'idle' || (kind === 'volume' && recommended === null)) return 'used'
  return sizesDiffer(current, size) ? 'resized' : 'changed'
}

/**
 * Whether a request should be raised that should not before. A decision on less does not hold for more: the container may
 * have been OOM-killed since.
 */
const raisesMore = (before: Recommendation, after: Recommendation): boolean =>
  requestNames.some((name) => raises(after, name) && !raises(before, name))

function raises({ kind, current, recommended }: Recommendation, name: (typeof requestNames)[number]) {
  const [from, to] = [current[name], recommended?.[name] ?? null]
  return kind === 'container' && from !== null && to !== null && to > from
}

/**
 * Workloads are removed for many reasons. It counts only if it was accepted, or if it was listed until the end: a removal
 * is noticed within two and a half days after its record was last renewed.
 */
function wasRecommended(record: RecommendationRecord, now: number): boolean {
  const { recommendation, advisedAt } = record
  if (recommendation.recommended !== null || decisionInForce(record, now)?.state === 'accepted') return true
  return (recommendation.idle_days ?? 0) >= defaultIdleDays && now - advisedAt <= removalNoticedMs
}

const removalNoticedMs = 3 * dayMs

/** Savings of an earlier recommendation for the same subject continue. */
function applyRecommendation(
  { recommendation }: RecommendationRecord,
  earlier: AppliedRecommendation | null,
  now: number,
): AppliedRecommendation {
  const isInForceStill = earlier !== null && earlier.from !== null
  return {
    at: now,
    size: recommendation.recommended,
    before: isInForceStill ? earlier.before : recommendation.current,
    perMonthUsd: recommendation.worth_per_month + (earlier === null ? 0 : realisedPerMonthUsd(earlier, now)),
    from: now,
    totalUsd: earlier === null ? 0 : realisedUsd(earlier, now),
  }
}

/** Patches are rounded up to readable quantities, by at most a tenth. */
const [minShare, mostShare] = [0.9, 1.15]

function isInForce({ kind, current, recommended }: Recommendation, size: SubjectSize | null | undefined) {
  if (size === undefined) return false
  if (recommended === null) return size === null
  if (size === null) return false
  if (kind === 'machine' || kind === 'volume')
    return size.instance_type === recommended.instance_type && size.region === recommended.region
  if (kind === 'cluster')
    return (
      recommended.instance_type !== null &&
      size.instance_type === recommended.instance_type &&
      size.region === recommended.region &&
      hasNoMoreNodes(size, recommended)
    )
  const changed = requestNames.filter((name) => recommended[name] !== current[name])
  return (
    changed.length > 0 &&
    changed.every(
      (name) =>
        isNear(size[name], recommended[name]) && isNearer(size[name]!, recommended[name]!, current[name]),
    )
  )
}

const hasNoMoreNodes = (size: SubjectSize, than: SubjectSize): boolean =>
  than.nodes === undefined || (size.nodes ?? Number.POSITIVE_INFINITY) <= than.nodes

const requestNames = ['cpu_cores', 'memory_gib'] as const
const sizeNames = [...requestNames, 'cpu_limit_cores', 'memory_limit_gib'] as const

const isNear = (value: number | null, target: number | null): boolean =>
  value !== null && target !== null && value >= minShare * target && value <= mostShare * target

const isNearer = (value: number, target: number, other: number | null): boolean =>
  other === null || Math.abs(value - target) < Math.abs(value - other)

/**
 * A container may be resized again. It saves as long as its requests are nearer to the applied ones than to those
 * before.
 */
function isStillInForce({ size, before }: AppliedRecommendation, seen: SubjectSize | null | undefined) {
  if (seen === undefined) return false
  if (size === null) return seen === null
  if (seen === null) return false
  if (size.instance_type !== null)
    return seen.instance_type === size.instance_type && hasNoMoreNodes(seen, size)
  return requestNames.every((name) => {
    const [is, was, now] = [size[name], before[name], seen[name]]
    if (is === was || is === null || now === null) return true
    return isNearer(now, is, was)
  })
}

const isSame = (a: SubjectSize | null, b: SubjectSize | null): boolean =>
  JSON.stringify(a) === JSON.stringify(b)

const rememberedMs = dayMs
const isOld = (advisedAt: number, now: number): boolean => now - advisedAt > rememberedMs

/** Small differences are not written, because every computation has some. */
function differs(before: Recommendation, after: Recommendation): boolean {
  return (
    sizesDiffer(before.current, after.current) ||
    sizesDiffer(before.recommended, after.recommended) ||
    before.managed_by !== after.managed_by ||
    isFar(before.worth_per_month, after.worth_per_month, 0.05)
  )
}

const sizesDiffer = (a: SubjectSize | null, b: SubjectSize | null): boolean =>
  a === null || b === null
    ? a !== b
    : a.instance_type !== b.instance_type ||
      a.nodes !== b.nodes ||
      sizeNames.some((name) => isFar(a[name] ?? 0, b[name] ?? 0, 0.01))

const isFar = (a: number, b: number, share: number): boolean =>
  Math.abs(a - b) > share * Math.max(Math.abs(a), Math.abs(b))
