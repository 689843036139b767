import { hourMs, hourSeconds } from '../domain/time.ts'
import { coveredHours } from '../rightsizing/cpu-demand.ts'
import type { RequestsAndLimits } from '../rightsizing/workload.ts'
import type { Container } from '../usage/reading/containers.ts'
import type { HourRange } from '../usage/reading/pod-usage.ts'
import { lookback } from './decide-namespace.ts'
import type { SizeDecision } from './decision.ts'
import { seenHoursOf } from './sizing-workload.ts'

export interface AskedDay {
  /** Days since 1970. */
  readonly day: number
  /** Whether the day is not over. */
  readonly isOpen: boolean
  /** The end of the day, or of the current hour. */
  readonly hour: number
}

/**
 * Whether the latest decision about a container still holds on a day. A decision of the day before holds until the day is
 * over, unless something happened that cannot wait.
 */
export function isInForce(
  decision: SizeDecision,
  container: Container,
  { day, isOpen, hour }: AskedDay,
  window: HourRange,
): boolean {
  if (knowsMore(container, decision, window, hour)) return false
  const { evidence } = decision
  const wasSeenSince = container.sums.lastAt >= evidence.hour * hourSeconds
  if (!wasSeenSince) return true
  if (decision.day < day - (isOpen ? 1 : 0)) return false
  return !isOpen || hour <= evidence.hour || !cannotWait(decision, container)
}

function knowsMore(container: Container, { evidence }: SizeDecision, window: HourRange, hour: number) {
  if (window.from < lookback(evidence.hour).from) return false
  return seenHours(container) > evidence.seenHours + Math.max(0, hour - evidence.hour) + 1
}

/** Kills, throttling that is new, changed requests or limits, the first six hours, the first day. */
function cannotWait({ evidence, current, decidedAt }: SizeDecision, container: Container): boolean {
  // The rest of the hour in which it was decided is not in the evidence.
  const unseenHour = evidence.hour - (decidedAt < evidence.hour * hourMs ? 1 : 0)
  const since = container.sums.spans.filter(({ startHour }) => startHour >= unseenHour)
  const isThrottled = (evidence.cpu?.throttledShare ?? 0) > throttledOften
  const seen = seenHours(container)
  return (
    since.some(({ oomKills }) => oomKills > 0) ||
    (!isThrottled && since.some(({ throttledShare }) => throttledShare > throttledOften)) ||
    !isSame(current, container.current) ||
    firstHours.some((hours) => evidence.seenHours < hours && seen >= hours)
  )
}

/** Counted as in the evidence: an hour in which several replicas ran counts once. */
const seenHours = ({ sums }: Container): number => Math.min(coveredHours(sums.spans), seenHoursOf(sums))

const throttledOften = 0.05
const firstHours = [6, 24]

const isSame = (one: RequestsAndLimits, other: RequestsAndLimits): boolean =>
  (['cpuRequest', 'cpuLimit', 'memoryRequest', 'memoryLimit'] as const).every(
    (name) => Math.abs((one[name] ?? 0) - (other[name] ?? 0)) <= 1e-9 * (one[name] ?? 0),
  )
