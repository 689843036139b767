import { dailyUsage } from '../../src/rightsizing/history/days.ts'
import { resourceHistory } from '../../src/rightsizing/history/history.ts'
import type { Resource } from '../../src/rightsizing/input.ts'
import { type BaseName, basesOf } from '../../src/rightsizing/model/grid.ts'
import { type DayRow, dayRows, type FleetRows } from '../../src/rightsizing/model/training-rows.ts'
import { digestOf } from './digest.ts'
import { hourlySpans } from './replay.ts'
import type { TraceSet } from './traces.ts'

/** Returns the rows that the training job would read from a set. Days are counted from the first day of the set. */
export function fleetRows(set: TraceSet, resource: Resource): FleetRows {
  const rows = new Map(basesOf(resource).map((name): [BaseName, DayRow[][]] => [name, []]))
  for (let series = 0; series < set.series; series++) {
    const history = resourceHistory(hourlySpans(set, series, digestOf), resource)
    const usage = dailyUsage(history, set.days * 24)
    // The rows of a series count days from its first sample.
    const firstDay = set.days - usage.days.length
    for (const [name, own] of dayRows(usage, resource))
      rows.get(name)!.push(own.map((row) => ({ ...row, day: row.day + firstDay })))
  }
  return rows
}
