import type { FieldError } from './problem.ts'
import { parseTime } from './time.ts'

/** As a caller writes it. */
interface PeriodRequest {
  readonly start_date?: string | undefined
  readonly end_date?: string | undefined
}

/** Milliseconds since 1970; NaN where a text is no time, which `errors` then says. */
interface Period {
  readonly startMs: number
  readonly endMs: number
}

/** What a query leaves out is the time before its end, or the end itself. */
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
