import { measuredHours } from '../app/measured-hours.ts'
import { counted } from '../parts/figures.ts'
import type { CostRow, CostsQuery } from './queries.ts'

const hourMs = 3_600_000

/** How much of a period has usage. */
export interface Measured {
  readonly hours: number
  readonly ofHours: number
}

/** Computed from the rows of clusters. The current hour counts as a whole one. */
export function measuredOf(
  rows: readonly CostRow[],
  { start_date, end_date }: CostsQuery['period'],
  now: number,
): Measured {
  const until = Math.min(Math.ceil(now / hourMs) * hourMs, Date.parse(end_date))
  return { hours: measuredHours(rows), ofHours: (until - Date.parse(start_date)) / hourMs }
}

/** Whether at least one whole hour has no usage. */
export const isPartly = ({ hours, ofHours }: Measured): boolean => ofHours - hours >= 1

/** Returns text such as "3 of 14 days" or "5 hours of 14 days". */
export function measuredText({ hours, ofHours }: Measured): string {
  const days = (value: number) => Math.round(value / 24)
  return hours < 48
    ? `${counted(Math.round(hours), 'hour')} of ${counted(days(ofHours), 'day')}`
    : `${days(hours)} of ${counted(days(ofHours), 'day')}`
}

/** Makes the cost of a period comparable with that of another of which more, or less, was measured. */
export const scaleOf = (now: Measured, before: Measured): number => before.hours / now.hours

const minShare = 0.1

/** Returns the change in percent per measured hour, or undefined if too little was measured. */
export function changeOf(
  [nowUsd, now]: readonly [number, Measured],
  [beforeUsd, before]: readonly [number, Measured],
): number | undefined {
  if (before.hours < minShare * before.ofHours || now.hours === 0 || beforeUsd === 0) return undefined
  return 100 * ((nowUsd * scaleOf(now, before)) / beforeUsd - 1)
}
