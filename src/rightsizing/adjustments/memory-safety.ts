import type { Day } from '../history/day.ts'
import { type UsageSpan, unitsOf } from '../input.ts'

const oomRememberedHours = 14 * 24
/** As the Vertical Pod Autoscaler does: a fifth more, and at least 100 MiB. */
const oomRaise = { factor: 1.2, gib: 100 / 1024 } as const

/** After an OOM kill, usage shows only what the limit allowed, so the need is larger than both. */
export function oomFloor(
  spans: readonly UsageSpan[],
  atHour: number,
  limitGib: number | null,
): { gib: number; kills: number } | null {
  let [kills, peak] = [0, 0]
  for (const span of spans) {
    if (!((span.oomKills ?? 0) > 0) || span.startHour + span.hours < atHour - oomRememberedHours) continue
    kills += span.oomKills!
    if (span.memory !== null && span.memory.count > 0) peak = Math.max(peak, span.memory.max / unitsOf.memory)
  }
  if (kills === 0) return null
  const reached = Math.max(peak, limitGib ?? 0)
  return { kills, gib: Math.max(reached * oomRaise.factor, reached + oomRaise.gib) }
}

const leastLeakDays = 4
const leastGrowth = 1.2

/** Memory whose daily low and high both rose day after day: GiB a day, and for how many days. */
export function memoryLeakOf(days: readonly (Day | null)[]): { gibPerDay: number; days: number } | null {
  let run = 0
  for (let i = days.length - 1; i > 0; i--) {
    const [day, before] = [days[i], days[i - 1]]
    if (!day || !before || !(day.p5 > before.p5) || !(day.peak > before.peak)) break
    run++
  }
  if (run < leastLeakDays) return null
  const [first, last] = [days[days.length - 1 - run]!, days.at(-1)!]
  if (last.p50 < first.p50 * leastGrowth) return null
  return { gibPerDay: (last.p50 - first.p50) / run, days: run }
}
