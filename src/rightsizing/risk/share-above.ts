import type { ResourceEvidence } from '../sizing-evidence.ts'

/** Share of the last 14 days in which usage was above a size, between the known percentiles by its logarithm. */
export function shareAbove(usage: ResourceEvidence, size: number): number {
  if (size >= usage.peak14) return 0
  const points: readonly (readonly [value: number, share: number])[] = [
    [usage.p50, 0.5],
    [usage.p95, 0.05],
    [usage.p99, 0.01],
    [usage.p995, 0.005],
    [usage.p999, 0.001],
    [usage.peak14, 0.0001],
  ]
  const next = points.findIndex(([value]) => value > size)
  if (next <= 0) return 0.5
  const [[low, more], [high, less]] = [points[next - 1]!, points[next]!]
  return more * (less / more) ** ((size - low) / (high - low))
}
