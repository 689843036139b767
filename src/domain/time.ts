export const hourMs = 3_600_000
export const dayMs = 24 * hourMs

const rfc3339 = /^(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d):(\d\d)(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/

/** In UTC, what RFC 3339 can write: the years 0000 to 9999. */
const [earliest, latest] = [Date.parse('0000-01-01T00:00:00Z'), Date.parse('9999-12-31T23:59:59.999Z')]

/** Milliseconds since 1970; undefined where the text is no RFC 3339 time, such as one of February 30. */
export function parseTime(text: string): number | undefined {
  const match = rfc3339.exec(text)
  if (match === null) return undefined
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])]
  if (day > new Date(Date.UTC(year, month, 0)).getUTCDate()) return undefined
  const time = Date.parse(text.replace(' ', 'T').toUpperCase())
  return time >= earliest && time <= latest ? time : undefined
}

/** RFC 3339; `hour` counts from 1970. */
export const timeOfHour = (hour: number): string => new Date(hour * hourMs).toISOString()

/** Milliseconds since 1970, for deciding what has expired. */
export type Clock = () => number

/**
 * A clock that never runs backwards: where the system's is set back, it goes on from where it was,
 * so that an expired key does not come alive again. A jump forward is followed.
 */
export function steadyClock(system: Clock, monotonic: Clock): Clock {
  let offset = system() - monotonic()
  return () => {
    const elapsed = monotonic()
    offset = Math.max(offset, system() - elapsed)
    return Math.floor(offset + elapsed)
  }
}
