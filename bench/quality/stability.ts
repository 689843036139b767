import { roundUpSize } from '../../src/rightsizing/advisor.ts'
import { gatherEvidence } from '../../src/rightsizing/evidence.ts'
import type { BuiltInModel } from '../../src/rightsizing/model/built-in-model.ts'
import { RecommendationWorkspace } from '../../src/rightsizing/risk/resource-forecast.ts'
import { sizeFromEvidence } from '../../src/rightsizing/size-from-evidence.ts'
import { requestInForce, resources } from '../../src/rightsizing/usage.case.ts'
import type { KnownSet } from './built-in-model.ts'
import { digestOf } from './digest.ts'
import { hourlySpans } from './replay.ts'
import { prices } from './score.ts'
import { walk } from './walk.ts'

/** Shares of steps from one look at a size to the next in which it is another by at least this much. */
export interface Stability {
  readonly steps: number
  readonly any: number
  readonly byTwentieth: number
}

const hoursBetweenLooks = 6
const firstDay = 7

class Steps {
  steps = 0
  any = 0
  byTwentieth = 0

  add(before: number, after: number): void {
    this.steps++
    if (after !== before) this.any++
    if (Math.abs(after - before) >= 0.05 * before) this.byTwentieth++
  }
}

/**
 * How often sizes move on real series after a week of history, with an unchanged model and without kills or throttling: computed anew
 * at each look, decided once a day, and in force if recommendations are applied.
 */
export function measureStability(
  { set }: KnownSet,
  builtInOf: (series: number) => BuiltInModel,
): Record<'anew every 6 hours' | 'decided each day' | 'in force', Stability> {
  const workspace = new RecommendationWorkspace()
  const [anew, decided, inForce] = [new Steps(), new Steps(), new Steps()]
  for (let series = 0; series < set.series; series++) {
    const spans = hourlySpans(set, series, digestOf)
    const builtIn = builtInOf(series)
    const known = spans.slice(0, firstDay * 24).filter(({ cpu }) => cpu !== null).length
    if (known < 24) continue
    const targetsAt = (hour: number) => {
      const workload = { spans: spans.slice(0, hour) }
      const evidence = gatherEvidence(workload, { atHour: hour, model: {}, builtIn }, workspace)
      return sizeFromEvidence(evidence, {}, { prices, round: roundUpSize })
    }
    let last: ReturnType<typeof targetsAt> | undefined
    let lastOfDay: ReturnType<typeof targetsAt> | undefined
    for (let hour = firstDay * 24; hour < set.days * 24; hour += hoursBetweenLooks) {
      const made = targetsAt(hour)
      const isMidnight = hour % 24 === 0
      for (const resource of resources) {
        const target = made[resource]?.target
        const [before, beforeOfDay] = [last?.[resource]?.target, lastOfDay?.[resource]?.target]
        if (target === undefined) continue
        if (before !== undefined) anew.add(before, target)
        if (isMidnight && beforeOfDay !== undefined) decided.add(beforeOfDay, target)
      }
      last = made
      if (isMidnight) lastOfDay = made
    }
    const options = { first: {}, preference: {}, builtIn, fromDay: firstDay, toDay: set.days, workspace }
    for (const { before, after } of walk((day) => spans.slice(0, day * 24), options))
      for (const resource of resources) {
        const [was, is] = [requestInForce(before, resource), requestInForce(after, resource)]
        if (was !== undefined && is !== undefined) inForce.add(was, is)
      }
  }
  return { 'anew every 6 hours': anew, 'decided each day': decided, 'in force': inForce }
}
