import { StoreUnusable } from '../port.ts'
import type { Database } from './database.ts'

/**
 * The oldest major version that supports the SQL of the migrations and queries. docs/operations/database.md states it
 * too.
 */
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
