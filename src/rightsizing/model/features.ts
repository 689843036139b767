import type { Day } from '../history/day.ts'
import { type DailyUsage, percentilesBefore } from '../history/days.ts'

/**
 * Features of a series before a day. Sizes are compared with the series' base, so that the same pattern at another
 * size looks the same; shapes are pure numbers. NaN means not known yet.
 *
 * Prefixes of percentiles: s, f and l have half-lives of 3, 1 and 8 days; w is the last 14 days unweighted; y is the
 * latest day with samples, b the one before it, or the latest again if it is the only one.
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
  const week = usage.days[day - 7]
  const p99s = recent.map(({ p99 }) => p99)
  const p95s = recent.map(({ p95 }) => p95)
  const peaks = recent.map(({ peak }) => peak)
  const means = recent.map((one) => one.mean)
  const [slow, fast, fortnight, slower] = percentilesBefore(usage, day, cpuPercentiles)
  const [sorted95s, sorted99s, sortedPeaks] = [ascending(p95s), ascending(p99s), ascending(peaks)]
  const [logs95, logs99] = [logarithms(p95s), logarithms(p99s)]
  return {
    age: past.length,
    // One object literal, because V8 is slow to read an object that is assembled from others.
    sizes: {
      s50: slow![0]!,
      s90: slow![1]!,
      s95: slow![2]!,
      s98: slow![3]!,
      s99: slow![4]!,
      s995: slow![5]!,
      f95: fast![0]!,
      f99: fast![1]!,
      w95: fortnight![0]!,
      w99: fortnight![1]!,
      w995: fortnight![2]!,
      l95: slower![0]!,
      l99: slower![1]!,
      y50: latest.p50,
      y95: latest.p95,
      y99: latest.p99,
      yPeak: latest.peak,
      yMean: latest.mean,
      b99: before.p99,
      bPeak: before.peak,
      week99: week?.p99 ?? Number.NaN,
      weekPeak: week?.peak ?? Number.NaN,
      peak2: peakOf(past, 2),
      peak7: peakOf(past, 7),
      peak14: peakOf(past, 14),
      peakEver: peakOf(past, 99),
      median99: ranked(sorted99s, 0.5),
      second99: fromTop(sorted99s, 1),
      least99: leastOf(p99s, 7),
      late3Peak: latest.peakOfLast3Hours,
      late6Mean: latest.meanOfLast6Hours,
      medianPeak: ranked(sortedPeaks, 0.5),
      secondPeak: fromTop(sortedPeaks, 1),
      mean14: mean(means),
      b95: before.p95,
      week95: week?.p95 ?? Number.NaN,
      median95: ranked(sorted95s, 0.5),
      second95: fromTop(sorted95s, 1),
      least95: leastOf(p95s, 7),
    },
    shapes: {
      spread99: spread(logs99),
      spreadPeak: spread(logarithms(peaks)),
      trend99: trend(logs99),
      trendMean: trend(logarithms(means)),
      burst: latest.peak > 0 ? -Math.log(Math.max(latest.p99 / latest.peak, minRatio)) : 0,
      coverage: latest.hours / 24,
      age: Math.min(past.length, 14),
      spread95: spread(logs95),
      trend95: trend(logs95),
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
  const week = usage.days[day - 7]
  const sortedPeaks = ascending(peaks)
  const [logsOfPeaks, logsOfMeans] = [logarithms(peaks), logarithms(means)]
  return {
    age: past.length,
    sizes: {
      y5: latest.p5,
      y50: latest.p50,
      y95: latest.p95,
      yPeak: latest.peak,
      yMean: latest.mean,
      bPeak: before.peak,
      peak2: peakOf(past, 2),
      peak3: peakOf(past, 3),
      peak7: peakOf(past, 7),
      peak14: peakOf(past, 14),
      peakEver: peakOf(past, 99),
      weekPeak: week?.peak ?? Number.NaN,
      late1Peak: latest.peakOfLastHour,
      late6Peak: latest.peakOfLast6Hours,
      late3Mean: latest.meanOfLast3Hours,
      mean14: mean(means),
      medianPeak: ranked(sortedPeaks, 0.5),
      leastPeak: leastOf(peaks, 7),
      secondPeak: fromTop(sortedPeaks, 1),
      thirdPeak: fromTop(sortedPeaks, 2),
    },
    shapes: {
      spreadPeak: spread(logsOfPeaks),
      spreadPeak4: spread(logarithms(peaks.slice(0, 4))),
      spreadMean: spread(logsOfMeans),
      trendPeak: trend(logsOfPeaks),
      trendMean: trend(logsOfMeans),
      rising: risingDays(peaks),
      range: Math.log(latest.range),
      coverage: latest.hours / 24,
      age: Math.min(past.length, 14),
      sincePeak: daysSince(peaks),
    },
  }
}

/** Number of days with samples since the latest peak within 2% of the highest. */
const daysSince = (peaksLatestFirst: readonly number[]): number => {
  const highest = highestOf(peaksLatestFirst)
  return peaksLatestFirst.findIndex((peak) => peak >= highest / 1.02)
}

/** Number of consecutive days, up to the latest, on which the peak grew by more than 2%. */
function risingDays(peaksLatestFirst: readonly number[]): number {
  let days = 0
  while (days + 1 < peaksLatestFirst.length && peaksLatestFirst[days]! > peaksLatestFirst[days + 1]! * 1.02)
    days++
  return days
}

/**
 * Anything smaller than this share of the largest value counts as this share, so that the logarithm of an idle day is
 * finite.
 */
const minRatio = 1e-4
const knownAges = 64
/** A weight that halves every `days` days. Powers are slow, so those of usual ages are computed once. */
function halvingIn(days: number): (age: number) => number {
  const weights = Float64Array.from({ length: knownAges }, (_, age) => 2 ** (-age / days))
  return (age) => (age < knownAges ? weights[age]! : 2 ** (-age / days))
}
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

function peakOf(past: readonly Day[], days: number): number {
  let highest = Number.NEGATIVE_INFINITY
  for (let age = 0; age < days && age < past.length; age++) highest = Math.max(highest, past[age]!.peak)
  return highest
}

function mean(values: readonly number[]): number {
  let sum = 0
  for (let index = 0; index < values.length; index++) sum += values[index]!
  return sum / values.length
}

/** Insertion sort, because there are at most fourteen values. */
function ascending(values: readonly number[]): number[] {
  const sorted: number[] = []
  for (let index = 0; index < values.length; index++) {
    let at = index
    for (; at > 0 && sorted[at - 1]! > values[index]!; at--) sorted[at] = sorted[at - 1]!
    sorted[at] = values[index]!
  }
  return sorted
}
const ranked = (sorted: readonly number[], share: number): number =>
  sorted[Math.floor(sorted.length * share)]!
/** The value this many ranks below the highest, or the lowest if there are fewer values. */
const fromTop = (sorted: readonly number[], places: number): number =>
  sorted[Math.max(0, sorted.length - 1 - places)]!

/** The least of the first `count` values. */
function leastOf(values: readonly number[], count: number): number {
  let least = Number.POSITIVE_INFINITY
  for (let index = 0; index < count && index < values.length; index++) least = Math.min(least, values[index]!)
  return least
}

function highestOf(values: readonly number[]): number {
  let highest = Number.NEGATIVE_INFINITY
  for (let index = 0; index < values.length; index++) highest = Math.max(highest, values[index]!)
  return highest
}

/** Standard deviation of logarithms: 0.1 is a typical change by a tenth. */
function spread(logs: readonly number[]): number {
  if (logs.length < 2) return Number.NaN
  const middle = mean(logs)
  let sum = 0
  for (let index = 0; index < logs.length; index++) sum += (logs[index]! - middle) ** 2
  return Math.sqrt(sum / logs.length)
}

/** Mean logarithm of the last two days minus that of the five days before them. The list is latest first. */
const trend = (logs: readonly number[]): number =>
  logs.length < 4 ? Number.NaN : mean(logs.slice(0, 2)) - mean(logs.slice(2, 7))

/** The logarithm of each value as a share of the largest. */
function logarithms(values: readonly number[]): number[] {
  const largest = highestOf(values)
  return values.map((value) => (largest > 0 ? Math.log(Math.max(value / largest, minRatio)) : 0))
}
