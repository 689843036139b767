import type { paths } from '../api/schema.ts'
import { paidAs } from './candidates.ts'

export type PriceHistory = paths['/pricing/history']['get']['responses'][200]['content']['application/json']
export type PriceSeries = PriceHistory['series'][number]

/** A price from a day on, and how it differs from the previous one. */
export interface PriceStep {
  readonly id: string
  readonly series: string
  readonly from: string
  /** Null if the instance was not offered. */
  readonly pricePerHour: number | null
  readonly changePercent: number | null
}

/** Returns text such as "Spot, use1-az1". */
export const seriesName = ({ usage_type, term, availability_zone }: PriceSeries): string =>
  [paidAs(usage_type, term), availability_zone].filter(Boolean).join(', ')

/** Returns every price that was in force in the period, newest first. */
export function stepsOf(series: readonly PriceSeries[]): PriceStep[] {
  const steps = series.flatMap((one) =>
    one.points.map(({ from, cost_per_hour }, i) => {
      const before = one.points[i - 1]?.cost_per_hour
      const changed = before != null && before !== 0 && cost_per_hour !== null
      return {
        id: `${seriesName(one)} ${from} ${i}`,
        series: seriesName(one),
        from,
        pricePerHour: cost_per_hour,
        changePercent: changed ? (100 * (cost_per_hour - before)) / before : null,
      }
    }),
  )
  return steps.sort((a, b) => (a.from < b.from ? 1 : a.from > b.from ? -1 : 0))
}

/** Returns the corners of the line to draw, from the start of the period to its end. */
export function cornersOf({ points }: PriceSeries, start: string, end: string): [number, number | null][] {
  const [first, last] = [Date.parse(start), Date.parse(end)]
  const corners = points.map(({ from, cost_per_hour }): [number, number | null] => [
    Math.max(first, Date.parse(from)),
    cost_per_hour,
  ])
  return corners.length === 0 ? [] : [...corners, [last, corners.at(-1)![1]]]
}
