import { roundSum } from '../../../domain/money.ts'
import type { AdviceState } from '../../../domain/recommendation.ts'
import type { ListedAdvice } from '../list-codec.ts'
import type { Advice, AdviceView } from '../schema.ts'
import {
  type AdviceRecord,
  decisionInForce,
  decisionTag,
  type EndedAdvice,
  type FollowedAdvice,
  realisedPerMonthUsd,
  realisedUsd,
  stateOf,
} from './followed-advice.ts'

export interface ShownAdvice extends ListedAdvice {
  /** The recommendation as it was accepted or applied; undefined if the one on the list is shown. */
  readonly decidedOn: Advice | undefined
  readonly isAdvised: boolean
  readonly state: AdviceState
  readonly record: FollowedAdvice | undefined
}

/**
 * Returns what is recommended now, or what was accepted of it, with its state, and what was applied or accepted and is no
 * longer recommended. The latter saves nothing.
 */
export function showAdvice(
  rows: readonly ListedAdvice[],
  records: ReadonlyMap<string, AdviceRecord>,
  now: number,
): ShownAdvice[] {
  const shown: ShownAdvice[] = []
  const advised = new Set<string>()
  for (const row of rows) {
    const record = records.get(row.advice.id)
    advised.add(row.advice.id)
    const state = record === undefined ? 'open' : stateOf(record, true, now)
    const decidedOn = acceptedAdvice(row.advice, record, now)
    const { advice, worth } =
      decidedOn === undefined ? row : { advice: decidedOn, worth: decidedOn.worth_per_month }
    shown.push({ ...row, advice, worth, state, record, isAdvised: true, decidedOn })
  }
  for (const [id, record] of records) {
    const state = stateOf(record, false, now)
    if (advised.has(id) || !(state === 'applied' || state === 'accepted')) continue
    const worth = state === 'applied' ? realisedPerMonthUsd(record.applied!, now) : 0
    const advice = { ...record.advice, worth_per_month: roundSum(worth) }
    shown.push({ advice, decidedOn: advice, worth, coveredBy: null, state, record, isAdvised: false })
  }
  return shown
}

/** Returns the recommendation as it was accepted, until it is applied. A removal has no sizes, and is shown as it is now. */
const acceptedAdvice = (
  { kind }: Pick<Advice, 'kind'>,
  record: FollowedAdvice | undefined,
  now: number,
): Advice | undefined =>
  record !== undefined && kind !== 'idle' && decisionInForce(record, now)?.state === 'accepted'
    ? record.advice
    : undefined

export const adviceInForce = (latest: Advice, record: FollowedAdvice | undefined, now: number): Advice =>
  acceptedAdvice(latest, record, now) ?? latest

export function viewAdvice(
  advice: Advice,
  state: AdviceState,
  record: FollowedAdvice | undefined,
  now: number,
  isAdvised = record?.ended === undefined,
): AdviceView {
  const decision = record === undefined ? null : decisionInForce(record, now)
  const applied = record?.applied ?? null
  const changedAt = decision?.at ?? (state === 'applied' ? applied!.at : null)
  const isOutdated = state === 'accepted' && !isAdvised
  const end = isOutdated ? (record?.ended ?? { at: decision!.at, cause: 'changed' as const }) : null
  return {
    ...advice,
    ...(end && { worth_per_month: 0, reasons: [endReason(end, advice), ...advice.reasons] }),
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

function endReason({ at, cause }: EndedAdvice, { kind, workload }: Advice): string {
  const isStopped = cause === 'gone' && kind === 'idle' && workload !== null
  const more = isStopped ? '. Its removal counts as applied after a day, if its cluster still reports' : ''
  return `No longer recommended since ${timeText(at)!.slice(0, 10)}: ${endWords[cause]}${more}.`
}

const endWords: Readonly<Record<EndedAdvice['cause'], string>> = {
  gone: 'it no longer reports usage',
  used: 'it is used again',
  resized: 'it has another size now, which is not the accepted one',
  changed: 'its usage, its price, the sizing profile or the sizing rules have changed, or it no longer runs',
}

const timeText = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString())
