import pg from 'pg'
import { StoreUnavailable } from '../port.ts'

/** Classes and codes after which a retry may succeed: https://www.postgresql.org/docs/current/errcodes-appendix.html */
const retryable = [
  '08', // connection exception
  '25006', // read-only: a standby that is not promoted yet, or by the operator's choice
  '28', // authentication failed: passwords may be changing
  '3D000', // no such database: it may be being restored
  '40', // deadlock, serialization failure
  '53', // out of disk space, memory or connections
  '55P03', // lock not available
  '57', // shut down, starting up, statement timeout
  '58', // I/O error
]

/** Runs queries and throws StoreUnavailable if a retry may succeed. */
export async function translateErrors<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    throw isRetryable(error)
      ? new StoreUnavailable(`PostgreSQL: ${reasonOf(error)}`, { cause: error })
      : error
  }
}

/** Whether the connection can still be used: only if the server refused a statement, or our own code threw. */
export function leavesConnectionUsable(error: unknown): boolean {
  return error instanceof pg.DatabaseError ? error.severity === 'ERROR' : !isFromDriver(error)
}

/**
 * Whether waiting does not help at the start: a wrong password or database, a missing password, invalid parameters, a
 * certificate that is not trusted, no right to create tables, or tables of another program.
 */
export function isMisconfiguration(cause: unknown): boolean {
  if (cause instanceof pg.DatabaseError)
    return (
      /^(28|3D000|3F000|42501|42P07)/.test(cause.code ?? '') ||
      (cause.severity === 'FATAL' && !isRetryable(cause))
    )
  if (!(cause instanceof Error)) return false
  return (
    /^SASL|does not support SSL/.test(cause.message) ||
    untrusted.test((cause as { code?: string }).code ?? '')
  )
}

/** Codes of TLS errors, except those of an expired certificate, which the server may renew. */
const untrusted =
  /^(DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_|ERR_TLS_CERT_ALTNAME_INVALID)/

export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0])
  return error instanceof Error ? error.message : String(error)
}

function isRetryable(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return retryable.some((code) => error.code?.startsWith(code))
  return isFromDriver(error)
}

/** The driver and the network throw plain errors, or several in one. Ours have classes; mistakes in code are TypeErrors. */
function isFromDriver(error: unknown): boolean {
  return error instanceof AggregateError || (error instanceof Error && error.name === 'Error')
}
