import type { PoolClient } from 'pg'
import type { KeyRecord } from '../../domain/key.ts'
import type { KeyStore } from '../port.ts'
import { type KeyRow, keyColumns, keyFromRow, keyValues } from '../rows.ts'
import { checkKey, checkTime, isStorable } from '../storable.ts'
import { incrementTopic, lockTopic } from './changes.ts'
import type { Database } from './database.ts'
import { ensureOrganisation } from './organisations.ts'

export function postgresKeys(db: Database): KeyStore {
  const inTurn = <Result>(work: (client: PoolClient) => Promise<Result>) =>
    db.inTransaction(async (client) => {
      await lockTopic(client, 'keys')
      return work(client)
    })
  return {
    async all() {
      const rows = await db.rows<KeyRow>(`SELECT ${keyColumns} FROM api_keys ORDER BY created_at, id`)
      return rows.map(keyFromRow)
    },
    insert: (key) => inTurn((client) => add(client, key)),
    insertFirst: (key) =>
      inTurn(async (client) => {
        const { rows } = await client.query('SELECT 1 FROM api_keys LIMIT 1')
        if (rows.length > 0) return false
        await add(client, key)
        return true
      }),
    rotate: (oldId, replacement, oldExpiresAt) =>
      inTurn(async (client) => {
        checkTime(oldExpiresAt)
        checkKey(replacement)
        if (!isStorable(oldId)) return false
        const { rowCount } = await client.query(
          `UPDATE api_keys SET replaced_by = $1, expires_at = least(expires_at, $2)
           WHERE id = $3 AND revoked_at IS NULL AND replaced_by IS NULL`,
          [replacement.id, oldExpiresAt, oldId],
        )
        if (rowCount === 0) return false
        await add(client, replacement)
        return true
      }),
    revoke: (id, at) =>
      inTurn(async (client) => {
        checkTime(at)
        if (!isStorable(id)) return undefined
        const { rowCount } = await client.query(
          'UPDATE api_keys SET revoked_at = $1 WHERE id = $2 AND revoked_at IS NULL',
          [at, id],
        )
        if (rowCount !== 0) await incrementTopic(client, 'keys')
        const { rows } = await client.query<KeyRow>(`SELECT ${keyColumns} FROM api_keys WHERE id = $1`, [id])
        return rows[0] && keyFromRow(rows[0])
      }),
    touch: (lastUsedAt) => db.inTransaction((client) => touch(client, lastUsedAt)),
  }
}

async function add(client: PoolClient, key: KeyRecord): Promise<void> {
  checkKey(key)
  await ensureOrganisation(client, key.organisation)
  await client.query(
    `INSERT INTO api_keys (${keyColumns}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    keyValues(key),
  )
  await incrementTopic(client, 'keys')
}

/** Rows are locked in order, so that two nodes that touch the same keys cannot deadlock. */
async function touch(client: PoolClient, lastUsedAt: ReadonlyMap<string, number>): Promise<void> {
  const uses = [...lastUsedAt].filter(([id]) => isStorable(id))
  for (const [, at] of uses) checkTime(at)
  await client.query(
    `WITH locked AS (SELECT id FROM api_keys WHERE id = ANY ($1::text[]) ORDER BY id FOR NO KEY UPDATE)
     UPDATE api_keys SET last_used_at = greatest(last_used_at, used.at)
     FROM locked JOIN unnest($1::text[], $2::bigint[]) AS used (id, at) USING (id)
     WHERE api_keys.id = locked.id`,
    [uses.map(([id]) => id), uses.map(([, at]) => at)],
  )
}
