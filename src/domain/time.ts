import type { FieldError } from './problem.ts'

export const dayHours = 24
export const hourMs = 3_600_000
export const dayMs = dayHours * hourMs
export const hourSeconds = 3600
export const daySeconds = dayHours * hourSeconds

const rfc3339 = /^(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d):(\d\d)(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/

/** The range that RFC 3339 can express in UTC: the years 0000 to 9999. */
const [earliest, latest] = [Date.parse('0000-01-01T00:00:00Z'), Date.parse('9999-12-31T23:59:59.999Z')]

/** Returns milliseconds since 1970; undefined if the text is not a valid RFC 3339 time. A time on February 30 is not. */
export function parseTime(text: string): number | undefined {
  const match = rfc3339.exec(text)
  if (match === null) return undefined
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])]
  if (day > new Date(Date.UTC(year, month, 0)).getUTCDate()) return undefined
  const time = Date.parse(text.replace(' ', 'T').toUpperCase())
  return time >= earliest && time <= latest ? time : undefined
}

export const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10)

/** Samples of the end of a day may be this late. */
const settledMs = hourMs / 4

/** The last day, since 1970, whose samples have arrived. */
export const lastDayOver = (nowMs: number): number => Math.floor((nowMs - settledMs) / dayMs) - 1

/** Returns the start of a day, or of a later one; a text that is not a date stays as it is. */
export function startOfDay(text: string | undefined, daysLater = 0): string | undefined {
  const ms = /^\d{4}-\d{2}-\d{2}$/.test(text ?? '') ? parseTime(`${text}T00:00:00Z`) : undefined
  return ms === undefined ? text : new Date(ms + daysLater * dayMs).toISOString()
}

/** Returns the start of an hour in RFC 3339; hours are counted from 1970. */
export const timeOfHour = (hour: number): string => new Date(hour * hourMs).toISOString()

/** Milliseconds since 1970, for deciding what has expired. */
export type Clock = () => number

/** Never runs backwards, so that an expired key does not become valid again. It follows a jump forward. */
export function steadyClock(system: Clock, monotonic: Clock): Clock {
  let offset = system() - monotonic()
  return () => {
    const elapsed = monotonic()
    offset = Math.max(offset, system() - elapsed)
    return Math.floor(offset + elapsed)
  }
}

/** Times in milliseconds since 1970; NaN if a text is not a time, which is then reported in `errors`. */
interface Period {
  readonly startMs: number
  readonly endMs: number
}

/** `absent.endMs` if the end is absent; if the start is, it is `absent.lengthMs` before the end. */
export function parsePeriod(
  request: { readonly start_date?: string | undefined; readonly end_date?: string | undefined },
  absent: { readonly endMs: number; readonly lengthMs: number },
  errors: FieldError[],
): Period {
  const time = (name: 'start_date' | 'end_date', absentMs: number): number => {
    const text = request[name]
    const parsed = text === undefined ? absentMs : parseTime(text)
    if (parsed === undefined)
      errors.push({
        pointer: `?${name}`,
        message: 'must be a time of RFC 3339, such as 2026-11-01T00:00:00Z',
      })
    return parsed ?? Number.NaN
  }
  const endMs = time('end_date', absent.endMs)
  const startMs = time('start_date', endMs - absent.lengthMs)
  if (startMs >= endMs) errors.push({ pointer: '?start_date', message: 'must be before end_date' })
  return { startMs, endMs }
}
