import type { PoolClient } from 'pg'
import pg from 'pg'
import { StoreUnavailable } from '../port.ts'
import { checkOrganisation } from '../storable.ts'
import { leavesConnectionUsable, translateErrors } from './errors.ts'

export interface PostgresAddress {
  readonly url: string
  readonly poolSize?: number
  /** Also the longest wait for a free connection of the pool. */
  readonly connectTimeoutMs?: number
  readonly statementTimeoutMs?: number
}

const bigint = 20

export function clientConfig(address: PostgresAddress): pg.ClientConfig {
  const statementTimeoutMs = address.statementTimeoutMs ?? 10_000
  return {
    connectionString: address.url,
    application_name: 'cheapside',
    connectionTimeoutMillis: address.connectTimeoutMs ?? 5_000,
    statement_timeout: statementTimeoutMs,
    idle_in_transaction_session_timeout: 2 * statementTimeoutMs,
    // The server cancels slow statements itself; this timeout is for a server that no longer responds at all.
    query_timeout: statementTimeoutMs + 2_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    types: {
      getTypeParser: ((oid: number, format: 'text') =>
        oid === bigint ? Number : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
    },
  }
}

export interface Database {
  rows<Row extends pg.QueryResultRow>(sql: string, values?: readonly unknown[]): Promise<Row[]>
  /** Commits if the work resolves; otherwise rolls back. */
  inTransaction<Result>(work: (client: pg.PoolClient) => Promise<Result>): Promise<Result>
  /** Waits for calls in progress. */
  close(): Promise<void>
}

/** Connects at the first call. */
export function openDatabase(address: PostgresAddress): Database {
  const pool = openPool(address)
  const inFlight = new Set<Promise<unknown>>()
  let closing: Promise<void> | undefined

  /** Calls are tracked because a pool that is ended never serves those that still wait for a connection. */
  async function whileOpen<Result>(work: () => Promise<Result>): Promise<Result> {
    if (closing !== undefined) throw new StoreUnavailable('PostgreSQL: the store is closed')
    const call = translateErrors(work)
    inFlight.add(call)
    try {
      return await call
    } finally {
      inFlight.delete(call)
    }
  }
  return {
    rows: (sql, values = []) => whileOpen(async () => (await pool.query(sql, [...values])).rows),
    inTransaction: (work) => whileOpen(() => transaction(pool, work)),
    close: () => (closing ??= Promise.allSettled(inFlight).then(() => pool.end())),
  }
}

/** Milliseconds since 1970 by the database's clock. */
export const nowSql = '(extract(epoch FROM clock_timestamp()) * 1000)::bigint'

function openPool(address: PostgresAddress): pg.Pool {
  const pool = new pg.Pool({ ...clientConfig(address), max: address.poolSize ?? 10, allowExitOnIdle: true })
  // A connection that breaks while it is idle, or between two statements, must not end the process: the next use
  // reports it.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
  return pool
}

/** Makes the commit of the current transaction wait for the disk, even if the server's default is not to. */
export const durableSql = `set_config('synchronous_commit',
  CASE current_setting('synchronous_commit') WHEN 'off' THEN 'on' ELSE current_setting('synchronous_commit') END, true)`

/**
 * READ COMMITTED, whatever the server's default: a statement after a lock must see what the last holder of the lock
 * wrote. Whether it may write is left to the server, as for statements without a transaction: a database that an operator
 * made read-only takes no writes at all.
 */
const begin = `BEGIN ISOLATION LEVEL READ COMMITTED; SELECT ${durableSql}`

async function transaction<Result>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<Result>) {
  const client = await pool.connect()
  try {
    await client.query(begin)
    const result = await work(client)
    await client.query('COMMIT')
    client.release()
    return result
  } catch (error) {
    await giveBack(client, error)
    throw error
  }
}

async function giveBack(client: pg.PoolClient, error: unknown): Promise<void> {
  if (!leavesConnectionUsable(error)) return client.release(true)
  try {
    await client.query('ROLLBACK')
    client.release()
  } catch {
    client.release(true)
  }
}

/** The same bytes, without a copy. */
export const bufferOf = (bytes: Uint8Array): Buffer =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)

/** Creates the organisation inside a transaction, with its first key or entry. */
export async function ensureOrganisation(client: PoolClient, organisation: string): Promise<void> {
  checkOrganisation(organisation)
  await client.query(
    `INSERT INTO organisations (id, created_at) VALUES ($1, ${nowSql}) ON CONFLICT (id) DO NOTHING`,
    [organisation],
  )
}
