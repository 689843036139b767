import { isPartly, type Measured, measuredText } from '../../src/costs/report/measured.ts'
import { money } from '../parts/figures.ts'
import { measuredHours } from '../usage/measured-hours.ts'
import type { CostRow, CostsQuery } from './queries.ts'

const hourMs = 3_600_000

/** Computed from the rows of clusters. The current hour counts as a whole one. */
export function measuredOf(
  rows: readonly CostRow[],
  { start_date, end_date }: CostsQuery['period'],
  now: number,
): Measured {
  const until = Math.min(Math.ceil(now / hourMs) * hourMs, Date.parse(end_date))
  return { hours: measuredHours(rows), ofHours: (until - Date.parse(start_date)) / hourMs }
}

/** Makes the cost of a period comparable with that of another of which more, or less, was measured. */
export const scaleOf = (now: Measured, before: Measured): number => before.hours / now.hours

/** Whether the change does not follow from the two amounts. Sums of hours are inexact. */
const isScaled = (scale: number): boolean => Math.abs(scale - 1) > 1e-6

export const changeHeader = (scale: number): string =>
  isScaled(scale) ? 'Change of the hourly rate' : 'Change'

/** Returns the hours by which changes are scaled, or undefined if they are the plain difference. */
export function scaleNote(now: Measured, before: Measured): string | undefined {
  if (!isScaled(scaleOf(now, before))) return undefined
  const [hours, hoursBefore] = [now, before].map((each) => hoursFormat.format(each.hours))
  return `Hourly rates are compared: ${hours} hours were measured in this period, ${hoursBefore} in the previous one.`
}

const hoursFormat = new Intl.NumberFormat('en', { maximumFractionDigits: 2 })

/** Returns the amount of the previous period, and how the change follows from it. */
export function previousNote(
  change: number | undefined,
  now: Measured,
  [beforeUsd, before]: readonly [number, Measured],
): string {
  const scaled = change !== undefined && isScaled(scaleOf(now, before)) ? 'hourly rate; ' : ''
  const partly = isPartly(before) ? `, with usage for only ${measuredText(before)}` : ''
  return `${scaled}${money(beforeUsd)} then${partly}`
}

const minShare = 0.1

/** Returns the change in percent per measured hour, or undefined if too little was measured. */
export function changeOf(
  [nowUsd, now]: readonly [number, Measured],
  [beforeUsd, before]: readonly [number, Measured],
): number | undefined {
  if (before.hours < minShare * before.ofHours || now.hours === 0 || beforeUsd === 0) return undefined
  return 100 * ((nowUsd * scaleOf(now, before)) / beforeUsd - 1)
}
