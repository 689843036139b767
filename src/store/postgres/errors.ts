import pg from 'pg'
import { StoreUnavailable } from '../port.ts'

/** Classes and codes after which a retry may succeed: https://www.postgresql.org/docs/current/errcodes-appendix.html */
const passing = [
  '08', // connection exception
  '25006', // read-only: a standby, before it takes over
  '28', // not let in: somebody is changing passwords
  '3D000', // no such database: somebody is restoring it
  '40', // deadlock, serialization failure
  '53', // out of disk space, memory or connections
  '55P03', // lock not available
  '57', // shut down, starting up, statement timeout
  '58', // input or output error
]

/** Runs queries and throws StoreUnavailable where a retry may succeed. */
export async function translateErrors<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    throw isPassing(error) ? new StoreUnavailable(`PostgreSQL: ${reasonOf(error)}`, { cause: error }) : error
  }
}

/** Whether the connection may be used on: only if the server itself refused a statement, or we did. */
export function leavesConnectionUsable(error: unknown): boolean {
  return error instanceof pg.DatabaseError ? error.severity === 'ERROR' : !isFromDriver(error)
}

/** What waiting does not mend at the start: a wrong password or database, no password where one is needed, no right to create tables. */
export function isMisconfiguration(cause: unknown): boolean {
  if (cause instanceof pg.DatabaseError) return /^(28|3D000|3F000|42501)/.test(cause.code ?? '')
  return cause instanceof Error && /^SASL|does not support SSL/.test(cause.message)
}

export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0])
  return error instanceof Error ? error.message : String(error)
}

function isPassing(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return passing.some((code) => error.code?.startsWith(code))
  return isFromDriver(error)
}

/** The driver and the network throw plain errors, or several in one; ours have classes, and mistakes are TypeErrors. */
function isFromDriver(error: unknown): boolean {
  return error instanceof AggregateError || (error instanceof Error && error.name === 'Error')
}
