import { CodedError } from '../../../domain/coded-error.ts'

export type FailureCode =
  | 'needs-credential' // the list requires a key or token, and there is none
  | 'credential-refused' // 401 or 403
  | 'unreachable' // no connection, a broken one, or no data for too long
  | 'busy' // 429 or 5xx on the last attempt
  | 'unexpected-status' // any other answer than the list
  | 'unexpected-type' // an HTML page, mostly
  | 'too-large'
  | 'truncated'
  | 'malformed' // not JSON, or not in the known format
  | 'stopped'

/** The message is one line that names the address without its query, and never a secret. */
export class ImportFailure extends CodedError<FailureCode> {
  override readonly name = 'ImportFailure'
}

export const malformed = (url: string, what: string): ImportFailure =>
  new ImportFailure('malformed', `${addressWithoutQuery(url)} ${what}`)

export const endlessPages = (url: string): ImportFailure => malformed(url, 'returns pages without end')

/** Returns the address of a request without its query, which may contain text from a caller. */
export function addressWithoutQuery(url: string): string {
  const { origin, pathname } = new URL(url)
  return origin + pathname
}

export const isRetryable = (failure: ImportFailure): boolean =>
  failure.code === 'unreachable' || failure.code === 'busy' || failure.code === 'truncated'

export interface Backoff {
  readonly attempts: number
  readonly firstMs: number
  readonly maxMs: number
}

export const defaultBackoff: Backoff = { attempts: 5, firstMs: 1_000, maxMs: 60_000 }

/** Doubles the wait each time. Half of it is random, so that many nodes do not retry at once: 0.5 to 1 s, 1 to 2 s, ... */
export function waitMs(backoff: Backoff, attempt: number, random: () => number): number {
  const most = Math.min(backoff.maxMs, backoff.firstMs * 2 ** (attempt - 1))
  return most / 2 + (most / 2) * random()
}

const maxAskedMs = 300_000

/** Parses a Retry-After header, which is seconds or a date (RFC 9110, 10.2.3); at most five minutes. */
export function retryAfterMs(header: string | null, nowMs: number): number | undefined {
  if (header === null) return undefined
  const seconds = /^\s*\d+\s*$/.test(header) ? Number(header) * 1000 : Date.parse(header) - nowMs
  return Number.isNaN(seconds) ? undefined : Math.min(Math.max(0, seconds), maxAskedMs)
}
