import { type UsageDistribution, type UsageSpan, unitsOf } from '../input.ts'

export interface FlatTop {
  readonly topGib: number
  /** Level to which memory falls back between peaks; close to the top if it stays there. */
  readonly lowGib: number
  readonly at: 'limit' | 'ceiling'
}

const recentHours = 7 * 24
/** Peaks of at least this share of the highest count as the same height. */
const sameTop = 0.97
const fallsTo = 0.8
const atLimit = 0.95
/** Share of spans that must reach the top, and the least number of spans, which are days or hours. */
const minShare = 0.8
const minSpans = { days: 4, hours: 12 } as const

/**
 * A garbage-collected heap fills up to its limit and falls back when it is collected: tops at the same height, day
 * after day or hour after hour, with lows far below. Memory at the container's limit is held back by that limit.
 */
export function flatTopOf(
  spans: readonly UsageSpan[],
  atHour: number,
  limitGib: number | undefined,
): FlatTop | null {
  const recent = spans.filter(
    ({ startHour, hours, memory }) =>
      startHour + hours > atHour - recentHours && memory !== null && memory.count > 0,
  )
  const days = recent.filter(({ hours }) => hours > 1)
  const hours = recent.filter(({ hours }) => hours === 1)
  return (
    (days.length >= minSpans.days ? topOf(days, limitGib) : null) ??
    (hours.length >= minSpans.hours ? topOf(hours, limitGib) : null)
  )
}

function topOf(spans: readonly UsageSpan[], limitGib: number | undefined): FlatTop | null {
  const usages = spans.map(({ memory }) => memory!)
  const top = usages.reduce((highest, { max }) => Math.max(highest, max), 0)
  const atTop = usages.filter(({ max }) => max >= sameTop * top)
  if (top <= 0 || atTop.length < minShare * spans.length) return null
  const [topGib, marks] = [top / unitsOf.memory, meanMarks(atTop)]
  const lowGib = marks[0]! / unitsOf.memory
  if (limitGib !== undefined && topGib >= atLimit * limitGib) return { topGib, lowGib, at: 'limit' }
  return isSawTooth(marks) ? { topGib, lowGib, at: 'ceiling' } : null
}

/**
 * Whether memory falls far and rises steadily, so that equal time is spent at each height. A batch job that runs from
 * time to time does not behave like this.
 */
function isSawTooth(marks: readonly number[]): boolean {
  const [low, top] = [marks[0]!, marks.at(-1)!]
  if (low > fallsTo * top) return false
  return marks.every((mark, index) => {
    const steady = low + ((top - low) * (shares[index]! - shares[0]!)) / (shares.at(-1)! - shares[0]!)
    return Math.abs(mark - steady) <= unsteady * (top - low)
  })
}

const shares = [0.05, 0.25, 0.5, 0.75, 0.95] as const
const unsteady = 0.1

/** Memory at or below which usage lies for each share of the time, as a mean over the spans. */
function meanMarks(usages: readonly UsageDistribution[]): number[] {
  const means = shares.map(() => 0)
  for (const usage of usages) {
    let [sum, next] = [0, 0]
    for (const { value, count } of usage) {
      sum += count
      for (; next < shares.length && sum >= shares[next]! * usage.count * (1 - 1e-12); next++)
        means[next]! += Math.min(value, usage.max) / usages.length
    }
  }
  return means
}
