import { ageHours, firstSpanWithin, type HistoryView } from '../history/history.ts'
import { type Estimator, estimator } from './estimator.ts'

/**
 * The decaying histogram of the Kubernetes Vertical Pod Autoscaler, which others adopted: buckets 5% apart, a sample counts
 * half after a half-life, and the result is the end of the bucket.
 * Source: kubernetes/autoscaler, vertical-pod-autoscaler/pkg/recommender/util/histogram*.go and
 * model/aggregations_config.go.
 */
const growth = 1.05
export const firstBuckets = { cpu: 0.01, memory: 10e6 / 2 ** 30 } as const
const halfLivesKept = 10

export const decayedPercentile = (percent: number, halfLifeHours: number, first: number): Estimator =>
  estimator(`p${percent}, half-life ${halfLifeHours} h, in buckets 5% apart`, (view) =>
    sampledPercentile(view, percent, halfLifeHours, first, () => 1),
  )

/** Percentile of load rather than of time: the usage at or below which the share of all work was done. */
export const decayedLoadPercentile = (percent: number, halfLifeHours: number, first: number): Estimator =>
  estimator(`p${percent} of load, half-life ${halfLifeHours} h, in buckets 5% apart`, (view) =>
    sampledPercentile(view, percent, halfLifeHours, first, (value) => value),
  )

const oomBump = { factor: 1.2, atLeastGib: 100 / 1024 } as const

/** Takes one peak a day. A day above the request counts as an out-of-memory kill and adds a higher peak. */
export const decayedPeakPercentile = (
  percent: number,
  requestOf: (percentile: number) => number,
): Estimator =>
  estimator(`p${percent} of daily peaks, half-life 24 h, raised after days above the request`, (view) => {
    const samples: { day: number; value: number }[] = []
    const answerAt = (day: number): number | null => {
      const weights: number[] = []
      for (const sample of samples)
        add(weights, bucketOf(sample.value, firstBuckets.memory), 2 ** -(day - sample.day))
      return bucketQuantile(weights, percent / 100, firstBuckets.memory)
    }
    for (const [day, peak] of dailyPeaks(view)) {
      const before = answerAt(day)
      const request = before === null ? Number.POSITIVE_INFINITY : requestOf(before)
      const bumped = Math.max(peak, request * oomBump.factor, request + oomBump.atLeastGib)
      samples.push({ day, value: peak > request ? bumped : peak })
    }
    return answerAt(0)
  })

function sampledPercentile(
  view: HistoryView,
  percent: number,
  halfLifeHours: number,
  first: number,
  loadOf: (value: number) => number,
): number | null {
  const { offsets, values, weights: counts } = view.history
  const weights: number[] = []
  for (let i = firstSpanWithin(view, halfLivesKept * halfLifeHours); i < view.spans; i++) {
    const weight = 2 ** (-ageHours(view, i) / halfLifeHours)
    // The values of a span are ascending, so the logarithm is only needed when one is beyond the bucket of the last.
    let [bucket, end] = [0, Number.NEGATIVE_INFINITY]
    for (let j = offsets[i]!; j < offsets[i + 1]!; j++) {
      const value = values[j]!
      if (!(value < end)) {
        bucket = bucketOf(value, first)
        end = startOf(bucket + 1, first) * (1 - 1e-12)
      }
      add(weights, bucket, counts[j]! * weight * loadOf(value))
    }
  }
  return bucketQuantile(weights, percent / 100, first)
}

/** Returns the highest usage of each day, oldest first. Days are counted from the hour of the view and are negative. */
function dailyPeaks(view: HistoryView): [day: number, peak: number][] {
  const peaks = new Map<number, number>()
  for (let i = 0; i < view.spans; i++) {
    const day = Math.floor((view.history.startHours[i]! - view.atHour) / 24)
    peaks.set(day, Math.max(peaks.get(day) ?? 0, view.history.peaks[i]!))
  }
  return [...peaks]
}

function bucketQuantile(weights: number[], q: number, first: number): number | null {
  let total = 0
  for (const weight of weights) total += weight ?? 0
  if (!(total > 0)) return null
  let sum = 0
  for (let i = 0; i < weights.length; i++) {
    sum += weights[i] ?? 0
    if (sum >= q * total) return startOf(i + 1, first)
  }
  return startOf(weights.length, first)
}

function add(weights: number[], bucket: number, weight: number): void {
  weights[bucket] = (weights[bucket] ?? 0) + weight
}

// start(n) = first (1.05^n - 1) / 0.05, hence n = log_1.05(1 + 0.05 value / first): 0.1 core is in bucket 8.
const startOf = (n: number, first: number): number => (first * (growth ** n - 1)) / (growth - 1)
const bucketOf = (value: number, first: number): number =>
  Math.floor(Math.log1p((value * (growth - 1)) / first) / Math.log(growth))
