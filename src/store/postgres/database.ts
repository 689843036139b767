import pg from 'pg'
import { leavesConnectionUsable, reaching } from './errors.ts'

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
    // The server cuts a slow statement; this one is for a server that no longer answers at all.
    query_timeout: statementTimeoutMs + 2_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    types: {
      getTypeParser: ((oid: number, format: 'text') =>
        oid === bigint ? Number : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
    },
  }
}

export function openPool(address: PostgresAddress): pg.Pool {
  const pool = new pg.Pool({ ...clientConfig(address), max: address.poolSize ?? 10, allowExitOnIdle: true })
  // A connection that breaks while idle, or between two statements, must not end the process: the next use tells.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
  return pool
}

/**
 * READ COMMITTED, whatever the server's default: a statement after a lock must see what the lock's last holder wrote.
 * A commit waits for the disk even where the server's default is not to.
 */
const begin = `BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE;
  SELECT set_config('synchronous_commit', 'on', true) WHERE current_setting('synchronous_commit') = 'off'`

export function inTransaction<Result>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<Result>,
): Promise<Result> {
  return reaching(async () => {
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
  })
}

export async function rowsOf<Row extends pg.QueryResultRow>(
  pool: pg.Pool,
  sql: string,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  const { rows } = await reaching(() => pool.query<Row>(sql, [...values]))
  return rows
}

/** Milliseconds since 1970 by the database's clock. */
export const nowSql = '(extract(epoch FROM clock_timestamp()) * 1000)::bigint'

async function giveBack(client: pg.PoolClient, error: unknown): Promise<void> {
  if (!leavesConnectionUsable(error)) return client.release(true)
  try {
    await client.query('ROLLBACK')
    client.release()
  } catch {
    client.release(true)
  }
}
