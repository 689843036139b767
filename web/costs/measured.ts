import { measuredHours } from '../app/measured-hours.ts'
import { counted } from '../parts/figures.ts'
import type { CostRow, CostsQuestion } from './questions.ts'

const hourMs = 3_600_000

/** How much of a period has usage. */
export interface Measured {
  readonly hours: number
  readonly ofHours: number
}

/** By the rows of clusters; the hour that runs counts as one. */
export function measuredOf(
  rows: readonly CostRow[],
  { start_date, end_date }: CostsQuestion['period'],
  now: number,
): Measured {
  const until = Math.min(Math.ceil(now / hourMs) * hourMs, Date.parse(end_date))
  return { hours: measuredHours(rows), ofHours: (until - Date.parse(start_date)) / hourMs }
}

/** A whole hour or more has no usage. */
export const isPartly = ({ hours, ofHours }: Measured): boolean => ofHours - hours >= 1

/** 3 of 14 days; 5 hours of 14 days */
export function measuredSaid({ hours, ofHours }: Measured): string {
  const days = (value: number) => Math.round(value / 24)
  return hours < 48
    ? `${counted(Math.round(hours), 'hour')} of ${counted(days(ofHours), 'day')}`
    : `${days(hours)} of ${counted(days(ofHours), 'day')}`
}

const leastShare = 0.1

/** By the measured hour, where not all of a period was measured; undefined where too little was. */
export function changeOf(
  [nowUsd, now]: readonly [number, Measured],
  [beforeUsd, before]: readonly [number, Measured],
): number | undefined {
  if (before.hours < leastShare * before.ofHours || now.hours === 0 || beforeUsd === 0) return undefined
  const isWhole = !isPartly(now) && !isPartly(before)
  const ratio = isWhole ? nowUsd / beforeUsd : nowUsd / now.hours / (beforeUsd / before.hours)
  return 100 * (ratio - 1)
}
