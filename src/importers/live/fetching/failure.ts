import { CodedError } from '../../../domain/coded-error.ts'
export type FailureCode =
  | 'needs-credential' // the list is not given away without a key or token, and there is none
  | 'credential-refused' // 401 or 403
  | 'unreachable' // no connection, or it broke, or nothing came for too long
  | 'busy' // 429 or 5xx until patience ended
  | 'not-there' // any other answer than the list
  | 'unexpected-type' // an HTML page, mostly
  | 'too-large'
  | 'truncated'
  | 'malformed' // not JSON, or not of the shape that is known
  | 'stopped'

/** A price list that could not be read. Its message is one line, names the address without its query, and never a secret. */
export class ImportFailure extends CodedError<FailureCode> {
  override readonly name = 'ImportFailure'
}

/** The same request may succeed a little later. */
export const mayPass = (failure: ImportFailure): boolean =>
  failure.code === 'unreachable' || failure.code === 'busy' || failure.code === 'truncated'

export interface Backoff {
  readonly attempts: number
  readonly firstMs: number
  readonly longestMs: number
}

export const defaultBackoff: Backoff = { attempts: 5, firstMs: 1_000, longestMs: 60_000 }

/** Twice as long each time, half of it by chance so that many nodes do not come back at once: 0.5 to 1 s, 1 to 2 s, ... */
export function waitMs(backoff: Backoff, attempt: number, random: () => number): number {
  const most = Math.min(backoff.longestMs, backoff.firstMs * 2 ** (attempt - 1))
  return most / 2 + (most / 2) * random()
}

const longestAskedMs = 300_000

/** RFC 9110, 10.2.3: seconds or a date. What a server asks for beyond five minutes is cut to that. */
export function retryAfterMs(header: string | null, nowMs: number): number | undefined {
  if (header === null) return undefined
  const seconds = /^\s*\d+\s*$/.test(header) ? Number(header) * 1000 : Date.parse(header) - nowMs
  return Number.isNaN(seconds) ? undefined : Math.min(Math.max(0, seconds), longestAskedMs)
}
