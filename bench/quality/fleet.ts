import type { BaseName } from '../../src/rightsizing/model/bases.ts'
import { trainBase } from '../../src/rightsizing/model/model.ts'
import type { DayRow } from '../../src/rightsizing/model/training-rows.ts'
import { decideWithInertia, type Outlook, type RiskPrices } from '../../src/rightsizing/risk/decide.ts'
import { outlookOf } from '../../src/rightsizing/risk/outlook.ts'
import type { Experience } from './prior.ts'
import type { Requests } from './score.ts'
import type { TraceSet } from './traces.ts'

/** What our policy expected of each day of each series, from the days before it of all series. */
export interface Expectations {
  readonly set: TraceSet
  readonly name: BaseName
  /** By series, days ascending. */
  readonly outlooks: readonly (readonly { readonly day: number; readonly outlook: Outlook }[])[]
}

const leastDays = 2

/** As in production the model is learnt anew every day, from what lies before that day. */
export function expectations(
  set: TraceSet,
  name: BaseName,
  rows: readonly DayRow[][],
  experience: Experience,
): Expectations {
  const outlooks = rows.map((): { day: number; outlook: Outlook }[] => [])
  for (let today = 0; today < set.days; today++) {
    const past = rows.map((own) => own.filter(({ day }) => day < today))
    const model = today < leastDays ? null : trainBase(name, past)
    rows.forEach((own, series) => {
      for (const row of own)
        if (row.day === today)
          outlooks[series]!.push({
            day: today,
            outlook: outlookOf(model, name, row, experience(name, series)),
          })
    })
  }
  return { set, name, outlooks }
}

export function replayOurs({ set, outlooks }: Expectations, prices: RiskPrices, inertia: number): Requests {
  const requests = new Float64Array(set.series * set.days).fill(Number.NaN)
  outlooks.forEach((own, series) => {
    let last: number | null = null
    for (const { day, outlook } of own) {
      last = decideWithInertia(outlook, prices, last, inertia).request
      requests.fill(last, series * set.days + day, (series + 1) * set.days)
    }
  })
  return requests
}
