import { createSecureContext, type SecureContextOptions } from 'node:tls'
import pg from 'pg'
import { StoreUnusable } from '../port.ts'
import type { Database } from './database.ts'
import { reasonOf } from './errors.ts'

/** Throws StoreUnusable if an address has parameters or names certificate files that cannot be used. */
export function checkAddress(url: string): void {
  if (!/^postgres(ql)?:\/\//.test(url))
    throw new StoreUnusable('The database address does not begin with postgres:// or postgresql://')
  try {
    const client = new pg.Client(url)
    if (!(client.port < 65_536)) throw new Error('the port is not a number up to 65535')
    const ssl = client.ssl as boolean | SecureContextOptions
    if (typeof ssl === 'object') createSecureContext(ssl)
  } catch (error) {
    throw new StoreUnusable(`The database address cannot be used: ${reasonOf(error)}`)
  }
}

/** The oldest that supports the SQL of migrations and queries. docs/operations/database.md states it too. */
const oldestVersion = 14

/** Throws StoreUnusable if the server is too old or the database cannot store every text. */
export async function checkServer(db: Pick<Database, 'rows'>): Promise<void> {
  const [server] = await db.rows<{ number: number; version: string; encoding: string }>(
    `SELECT current_setting('server_version_num')::integer AS number, current_setting('server_version') AS version,
       current_setting('server_encoding') AS encoding`,
  )
  const { number, version, encoding } = server!
  if (number < oldestVersion * 10_000) {
    throw new StoreUnusable(
      `PostgreSQL: the server has version ${version}, and Cheapside needs version ${oldestVersion} or newer`,
    )
  }
  if (encoding !== 'UTF8') {
    throw new StoreUnusable(`PostgreSQL: the database must have the encoding UTF8, not ${encoding}`)
  }
}

/** Throws StoreUnusable if the user may use the tables but not add one for each day, after the migrations. */
export async function checkOwner(db: Pick<Database, 'rows'>): Promise<void> {
  const [table] = await db.rows<{ owner: string; isOurs: boolean }>(
    `SELECT relowner::regrole::text AS owner, pg_has_role(relowner, 'USAGE') AS "isOurs"
     FROM pg_class WHERE oid = 'usage_digests'::regclass`,
  )
  if (!table!.isOurs)
    throw new StoreUnusable(
      `PostgreSQL: the tables belong to ${table!.owner}; the user in the address must own them`,
    )
}
