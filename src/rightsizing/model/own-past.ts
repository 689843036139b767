import type { Resource } from '../input.ts'
import type { OwnPast } from './experience.ts'
import type { SeriesFeatures } from './features.ts'
import { gridSize, logMultiples } from './grid.ts'

/**
 * Expected share of the next day above each multiple of the base by the series' own past alone, whatever its distribution:
 * a day like the ones before it. CPU: the percentiles of recent time. Memory: each of n days and the next one is as likely as the
 * others to be the highest, so the next one is with a chance of 1 / (n + 1).
 */
export function ownPastOf(resource: Resource, { sizes, shapes }: SeriesFeatures, base: number): OwnPast {
  const days = Math.max(1, shapes.age ?? 1)
  const points =
    resource === 'cpu' ? cpuPoints(sizes, days) : memoryPoints(sizes, days, stepBeyond(shapes.spreadPeak!))
  const shares = falling(
    points.map(({ size, share }) => ({ at: Math.log(Math.max(size / base, 1e-4)), share })),
  )
  return { shares, days }
}

interface SharePoint {
  readonly size: number
  /** Share of the next day above the size. */
  readonly share: number
}

const cpuShares = { s50: 0.5, s90: 0.1, s95: 0.05, s98: 0.02, s99: 0.01, s995: 0.005 } as const

function cpuPoints(sizes: SeriesFeatures['sizes'], days: number): SharePoint[] {
  const seen = Object.entries(cpuShares).map(([name, share]) => ({
    size: sizes[name]!,
    share: share + (1 - share) * (0.03 / (days + 1)),
  }))
  const highest = Math.max(sizes.peak14!, sizes.peakEver!)
  return [
    { size: sizes.s50! / 2, share: 1 },
    ...seen,
    { size: sizes.peak14!, share: 0.001 + 0.015 / (days + 1) },
    { size: highest * 1.5, share: 0 },
  ]
}

/** Beyond anything seen the chance falls by 45% with each step, which is as wide as peaks differ from day to day: 1% to 10%. */
const stepBeyond = (spread: number): number =>
  Math.max(0.01, Math.min(0.1, Number.isNaN(spread) ? 0.1 : spread))

function memoryPoints(sizes: SeriesFeatures['sizes'], days: number, step: number): SharePoint[] {
  const chance = (places: number): number => Math.min(0.5, places / (days + 1))
  const beyond = Array.from({ length: 8 }, (_, i) => ({
    size: sizes.peak14! * Math.exp(step * (i + 1)),
    share: chance(1) * 0.55 ** (i + 1),
  }))
  return [
    { size: sizes.leastPeak!, share: 1 - chance(1) },
    { size: sizes.medianPeak!, share: 0.5 },
    { size: sizes.thirdPeak!, share: chance(3) },
    { size: sizes.secondPeak!, share: chance(2) },
    { size: sizes.peak14!, share: chance(1) },
    ...beyond,
    { size: sizes.peak14! * Math.exp(step * 12), share: 0 },
  ]
}

/** Straight lines between points of ascending size, over the logarithm of the multiple; never rising. */
function falling(points: readonly { readonly at: number; readonly share: number }[]): Float32Array {
  const shares = new Float32Array(gridSize)
  let [next, reached, least] = [0, { at: Number.NEGATIVE_INFINITY, share: 1 }, 1]
  for (let k = 0; k < gridSize; k++) {
    const at = logMultiples[k]!
    while (next < points.length && points[next]!.at <= at) {
      reached = points[next++]!
      least = Math.min(least, reached.share)
    }
    const ahead = points[next]
    const width = ahead === undefined ? 0 : ahead.at - reached.at
    const part = Number.isFinite(width) && width > 0 ? (at - reached.at) / width : 0
    const share = ahead === undefined ? reached.share : reached.share + (ahead.share - reached.share) * part
    shares[k] = Math.max(0, Math.min(least, share))
  }
  return shares
}
