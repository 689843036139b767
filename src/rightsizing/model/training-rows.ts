import type { DailyUsage } from '../history/days.ts'
import type { Resource } from '../input.ts'
import { cpuFeatures, memoryFeatures } from './features.ts'
import {
  type BaseName,
  baseOf,
  bases,
  basesOf,
  exceedance,
  featuresOf,
  gridSize,
  logMultiples,
  peakExceedance,
} from './grid.ts'

/** One day of one series: what was known before it, and how much of it lay above each multiple of the base. */
export interface DayRow {
  readonly day: number
  readonly age: number
  readonly base: number
  readonly features: Float32Array
  readonly shares: Float32Array
}

/** Rows by base, then by series; the days of a series ascend. */
export type FleetRows = ReadonlyMap<BaseName, readonly (readonly DayRow[])[]>

/** A day with fewer hours of samples is not trained on. */
const minHoursOfDay = 6

/**
 * Returns, by base, a row for every day with enough samples and at least one day with samples before it. A day of
 * memory is either above a size or not.
 */
export function dayRows(usage: DailyUsage, resource: Resource): ReadonlyMap<BaseName, DayRow[]> {
  const knowledgeBefore = resource === 'cpu' ? cpuFeatures : memoryFeatures
  const rows = new Map(basesOf(resource).map((name): [BaseName, DayRow[]] => [name, []]))
  usage.days.forEach((day, index) => {
    if (day === null || day.hours < minHoursOfDay) return
    const knowledge = knowledgeBefore(usage, index)
    if (knowledge === null) return
    for (const [name, own] of rows) {
      const base = baseOf(knowledge, name)
      const shares =
        resource === 'cpu'
          ? exceedance(day.values, day.weights, day.peak, base)
          : peakExceedance(day.peak, base)
      own.push({ day: index, age: knowledge.age, base, features: featuresOf(knowledge, base), shares })
    }
  })
  return rows
}

const strictness = { cpu: [0.1, 0.03, 0.01, 0.001], memory: [0.5] } as const
const largestNeed = 1.2

/**
 * The least log multiples above which at most 10%, 3%, 1% and 0.1% of the day lay; for memory, above which the peak did
 * not lie.
 */
export function needsOf(shares: Float32Array, name: BaseName): Float32Array {
  return Float32Array.from(strictness[bases[name].resource], (allowed) => {
    let k = 0
    while (k < gridSize - 1 && shares[k]! > allowed) k++
    return Math.max(-largestNeed, Math.min(largestNeed, logMultiples[k]!))
  })
}
