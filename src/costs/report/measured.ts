import { plural } from '../../domain/text.ts'

export interface Measured {
  readonly hours: number
  readonly ofHours: number
}

/** Whether at least one whole hour has no usage. */
export const isPartly = ({ hours, ofHours }: Measured): boolean => ofHours - hours >= 1

/** Returns text such as "3 of 14 days" or "5 hours of 14 days". */
export function measuredText({ hours, ofHours }: Measured): string {
  const days = (value: number) => Math.round(value / 24)
  if (days(hours) === days(ofHours) && isPartly({ hours, ofHours }))
    return `${Math.floor(hours)} of ${plural(Math.round(ofHours), 'hour')}`
  return hours < 48
    ? `${plural(Math.round(hours), 'hour')} of ${plural(days(ofHours), 'day')}`
    : `${days(hours)} of ${plural(days(ofHours), 'day')}`
}

/** The header of an answer about costs, a dictionary of RFC 9651: hours=312.5, of=744 */
export const measuredHeader = 'cheapside-measured'

export const writeMeasured = ({ hours, ofHours }: Measured): string =>
  `hours=${Number(hours.toFixed(2))}, of=${Number(ofHours.toFixed(2))}`

/** Returns undefined without the header, as older services answer. */
export function readMeasured(headers: Headers): Measured | undefined {
  const [, hours, ofHours] = /^hours=([\d.]+), of=([\d.]+)$/.exec(headers.get(measuredHeader) ?? '') ?? []
  return ofHours === undefined ? undefined : { hours: Number(hours), ofHours: Number(ofHours) }
}
