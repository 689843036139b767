import type { FieldError } from './problem.ts'
import { parseTime } from './time.ts'

/** The query parameters of a period, as the caller sent them. */
interface PeriodRequest {
  readonly start_date?: string | undefined
  readonly end_date?: string | undefined
}

/** Times in milliseconds since 1970; NaN if a text is not a time, which is then reported in `errors`. */
interface Period {
  readonly startMs: number
  readonly endMs: number
}

/**
 * Parses the period of a query. If the end is absent, it is `absent.endMs`; if the start is absent, it is
 * `absent.lengthMs` before the end.
 */
export function parsePeriod(
  request: PeriodRequest,
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
