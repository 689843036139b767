import type { BaseName } from '../../src/rightsizing/bases.ts'
import { type DailyUsage, dailyUsage } from '../../src/rightsizing/days.ts'
import { type Outlook, type RiskPrices, settle } from '../../src/rightsizing/decide.ts'
import { resourceHistory } from '../../src/rightsizing/history.ts'
import type { Resource } from '../../src/rightsizing/input.ts'
import { trainBase } from '../../src/rightsizing/model.ts'
import { outlookOf } from '../../src/rightsizing/outlook.ts'
import { type DayRow, dayRows } from '../../src/rightsizing/rows.ts'
import { digestOf } from './digest.ts'
import { hourlySpans } from './replay.ts'
import type { Requests } from './score.ts'
import type { TraceSet } from './traces.ts'

/** What our policy expected of each day of each series, from the days before it of all series. */
export interface Expectations {
  readonly set: TraceSet
  readonly name: BaseName
  /** By series, days ascending. */
  readonly outlooks: readonly (readonly { readonly day: number; readonly outlook: Outlook }[])[]
}

/** Days on which the model is trained anew, from what lies before them; it serves until the next. */
export const trainingDays = [2, 3, 4, 6, 8, 11, 14, 18, 22, 26]

export function fleetUsage(set: TraceSet, resource: Resource): DailyUsage[] {
  return Array.from({ length: set.series }, (_, series) =>
    dailyUsage(resourceHistory(hourlySpans(set, series, digestOf), resource), set.days * 24),
  )
}

/** A series' rows count days from its first sample; here they count from the first day of the set. */
export function fleetRows(set: TraceSet, usage: readonly DailyUsage[], name: BaseName): DayRow[][] {
  return usage.map((own) =>
    dayRows(own, name).map((row) => ({ ...row, day: row.day + set.days - own.days.length })),
  )
}

export function expectations(set: TraceSet, usage: readonly DailyUsage[], name: BaseName): Expectations {
  const rows = fleetRows(set, usage, name)
  const outlooks = rows.map((): { day: number; outlook: Outlook }[] => [])
  const cuts = [0, ...trainingDays.filter((day) => day < set.days), set.days]
  for (let cut = 0; cut + 1 < cuts.length; cut++) {
    const [from, until] = [cuts[cut]!, cuts[cut + 1]!]
    const past = rows.map((own) => own.filter(({ day }) => day < from))
    const model = trainBase(name, past)
    rows.forEach((own, series) => {
      for (const row of own) {
        if (row.day < from || row.day >= until) continue
        outlooks[series]!.push({ day: row.day, outlook: outlookOf(model, name, row) })
      }
    })
  }
  return { set, name, outlooks }
}

export function replayOurs({ set, outlooks }: Expectations, prices: RiskPrices, inertia: number): Requests {
  const requests = new Float64Array(set.series * set.days).fill(Number.NaN)
  outlooks.forEach((own, series) => {
    let last: number | null = null
    for (const { day, outlook } of own) {
      last = settle(outlook, prices, last, inertia).request
      requests.fill(last, series * set.days + day, (series + 1) * set.days)
    }
  })
  return requests
}
