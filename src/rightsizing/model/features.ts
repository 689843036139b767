import type { Day } from '../history/day.ts'
import { type DailyUsage, percentilesBefore } from '../history/days.ts'

/**
 * What is known of a series before a day. Sizes are compared with the series' base, so that the same pattern at another
 * size looks the same; shapes are pure numbers. NaN: not known yet.
 */
export interface SeriesFeatures {
  readonly sizes: Readonly<Record<string, number>>
  readonly shapes: Readonly<Record<string, number>>
  /** Days with samples so far. */
  readonly age: number
}

export function cpuFeatures(usage: DailyUsage, day: number): SeriesFeatures | null {
  const past = pastDays(usage, day)
  const [latest, before] = [past[0], past[1] ?? past[0]]
  if (latest === undefined || before === undefined) return null
  const recent = past.slice(0, 14)
  const week = usage.days[day - 7] ?? null
  const p99s = recent.map(({ p99 }) => p99)
  const p95s = recent.map(({ p95 }) => p95)
  const [ofSlow, ofFast, ofFortnight, ofSlower] = percentilesBefore(usage, day, cpuPercentiles)
  const [s50, s90, s95, s98, s99, s995] = ofSlow!
  const [f95, f99] = ofFast!
  const [w95, w99, w995] = ofFortnight!
  const [l95, l99] = ofSlower!
  const peaks = recent.map(({ peak }) => peak)
  const [sorted95s, sorted99s, sortedPeaks] = [ascending(p95s), ascending(p99s), ascending(peaks)]
  return {
    age: past.length,
    sizes: numbers({
      ...{ s50, s90, s95, s98, s99, s995, f95, f99, w95, w99, w995, l95, l99 },
      ...{ y50: latest.p50, y95: latest.p95, y99: latest.p99, yPeak: latest.peak, yMean: latest.mean },
      ...{ b99: before.p99, bPeak: before.peak, week99: week?.p99, weekPeak: week?.peak },
      ...{
        peak2: peakOf(past, 2),
        peak7: peakOf(past, 7),
        peak14: peakOf(past, 14),
        peakEver: peakOf(past, 99),
      },
      ...{
        median99: ranked(sorted99s, 0.5),
        second99: fromTop(sorted99s, 1),
        least99: Math.min(...p99s.slice(0, 7)),
      },
      ...{ late3Peak: latest.peakOfLast3Hours, late6Mean: latest.meanOfLast6Hours },
      ...{ medianPeak: ranked(sortedPeaks, 0.5), secondPeak: fromTop(sortedPeaks, 1) },
      mean14: mean(recent.map((one) => one.mean)),
      ...{ b95: before.p95, week95: week?.p95, median95: ranked(sorted95s, 0.5) },
      ...{ second95: fromTop(sorted95s, 1), least95: Math.min(...p95s.slice(0, 7)) },
    }),
    shapes: {
      spread99: spread(p99s),
      spreadPeak: spread(peaks),
      trend99: trend(p99s),
      trendMean: trend(recent.map((one) => one.mean)),
      burst: latest.peak > 0 ? -Math.log(Math.max(latest.p99 / latest.peak, leastRatio)) : 0,
      coverage: latest.hours / 24,
      age: Math.min(past.length, 14),
      spread95: spread(p95s),
      trend95: trend(p95s),
      sincePeak: daysSince(peaks),
    },
  }
}

export function memoryFeatures(usage: DailyUsage, day: number): SeriesFeatures | null {
  const past = pastDays(usage, day)
  const [latest, before] = [past[0], past[1] ?? past[0]]
  if (latest === undefined || before === undefined) return null
  const recent = past.slice(0, 14)
  const peaks = recent.map(({ peak }) => peak)
  const means = recent.map((one) => one.mean)
  const sortedPeaks = ascending(peaks)
  return {
    age: past.length,
    sizes: numbers({
      ...{ y5: latest.p5, y50: latest.p50, y95: latest.p95, yPeak: latest.peak, yMean: latest.mean },
      ...{ bPeak: before.peak, peak2: peakOf(past, 2), peak3: peakOf(past, 3), peak7: peakOf(past, 7) },
      ...{ peak14: peakOf(past, 14), peakEver: peakOf(past, 99), weekPeak: usage.days[day - 7]?.peak },
      ...{ late1Peak: latest.peakOfLastHour, late6Peak: latest.peakOfLast6Hours },
      ...{ late3Mean: latest.meanOfLast3Hours, mean14: mean(means) },
      ...{ medianPeak: ranked(sortedPeaks, 0.5), leastPeak: Math.min(...peaks.slice(0, 7)) },
      ...{ secondPeak: fromTop(sortedPeaks, 1), thirdPeak: fromTop(sortedPeaks, 2) },
    }),
    shapes: {
      spreadPeak: spread(peaks),
      spreadPeak4: spread(peaks.slice(0, 4)),
      spreadMean: spread(means),
      trendPeak: trend(peaks),
      trendMean: trend(means),
      rising: risingDays(peaks),
      range: Math.log(latest.range),
      coverage: latest.hours / 24,
      age: Math.min(past.length, 14),
      sincePeak: daysSince(peaks),
    },
  }
}

/** Days with samples since the highest of them, within 2%. */
const daysSince = (peaksLatestFirst: readonly number[]): number => {
  const highest = Math.max(...peaksLatestFirst)
  return peaksLatestFirst.findIndex((peak) => peak >= highest / 1.02)
}

/** Days that grew by more than 2% in a row, up to the latest. */
function risingDays(peaksLatestFirst: readonly number[]): number {
  let days = 0
  while (days + 1 < peaksLatestFirst.length && peaksLatestFirst[days]! > peaksLatestFirst[days + 1]! * 1.02)
    days++
  return days
}

/** What is smaller than this share of the largest counts as that share, so that an idle day is no infinity. */
const leastRatio = 1e-4
const halvingIn =
  (days: number) =>
  (age: number): number =>
    2 ** (-age / days)
const cpuPercentiles = [
  { shares: [0.5, 0.9, 0.95, 0.98, 0.99, 0.995], weightOf: halvingIn(3) },
  { shares: [0.95, 0.99], weightOf: halvingIn(1) },
  { shares: [0.95, 0.99, 0.995], weightOf: (age: number): number => (age < 14 ? 1 : 0) },
  { shares: [0.95, 0.99], weightOf: halvingIn(8) },
]

function pastDays(usage: DailyUsage, day: number): Day[] {
  const past: Day[] = []
  for (let index = Math.min(day, usage.days.length) - 1; index >= 0; index--) {
    const one = usage.days[index]
    if (one) past.push(one)
  }
  return past
}

function numbers(of: Record<string, number | undefined>): Record<string, number> {
  for (const name in of) of[name] ??= Number.NaN
  return of as Record<string, number>
}

function peakOf(past: readonly Day[], days: number): number {
  let highest = Number.NEGATIVE_INFINITY
  for (let age = 0; age < days && age < past.length; age++) highest = Math.max(highest, past[age]!.peak)
  return highest
}

function mean(of: readonly number[]): number {
  let sum = 0
  for (let index = 0; index < of.length; index++) sum += of[index]!
  return sum / of.length
}

const ascending = (of: readonly number[]): number[] => [...of].sort((a, b) => a - b)
const ranked = (sorted: readonly number[], share: number): number =>
  sorted[Math.floor(sorted.length * share)]!
/** The value at this rank below the highest, or the lowest. */
const fromTop = (sorted: readonly number[], places: number): number =>
  sorted[Math.max(0, sorted.length - 1 - places)]!

/** Standard deviation of the logarithms: 0.1 is a typical change by a tenth. */
function spread(of: number[]): number {
  if (of.length < 2) return Number.NaN
  const logs = logarithms(of)
  const middle = mean(logs)
  let sum = 0
  for (let index = 0; index < logs.length; index++) sum += (logs[index]! - middle) ** 2
  return Math.sqrt(sum / logs.length)
}

/** The last two days against the five before them, as a logarithm; latest first. */
function trend(of: number[]): number {
  if (of.length < 4) return Number.NaN
  const logs = logarithms(of)
  return mean(logs.slice(0, 2)) - mean(logs.slice(2, 7))
}

function logarithms(of: number[]): number[] {
  const largest = Math.max(...of)
  return of.map((value) => (largest > 0 ? Math.log(Math.max(value / largest, leastRatio)) : 0))
}
