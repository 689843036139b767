import type { PoolClient } from 'pg'
import type { PriceChanges, PriceStore } from '../port-prices.ts'
import { type ChangeRow, changeColumns, changesFromRow, checkPublication, plainBytes } from '../rows.ts'
import { isStorable } from '../storable.ts'
import { incrementTopic, lockTopic } from './changes.ts'
import type { Database } from './database.ts'

const batchLength = 500
const topic = 'catalogue'
const newest = 'FROM catalogues ORDER BY sequence DESC LIMIT 1'

export function postgresPrices(db: Database): PriceStore {
  return {
    async latest() {
      const [row] = await db.rows<{ id: string; published_at: number; bytes: Uint8Array }>(
        `SELECT id, published_at, bytes ${newest}`,
      )
      return row && { id: row.id, publishedAt: row.published_at, bytes: plainBytes(row.bytes) }
    },
    async latestId() {
      const [row] = await db.rows<{ id: string }>(`SELECT id ${newest}`)
      return row?.id
    },
    publish: (catalogue, builtOn, changes) =>
      db.inTransaction(async (client) => {
        checkPublication(catalogue, changes)
        await lockTopic(client, topic)
        const { rows } = await client.query<{ id: string }>(`SELECT id ${newest}`)
        if ((rows[0]?.id ?? null) !== builtOn) return false
        await client.query(
          `INSERT INTO catalogues (sequence, id, published_at, bytes)
           VALUES ((SELECT coalesce(max(sequence), 0) + 1 FROM catalogues), $1, $2, $3)`,
          [catalogue.id, catalogue.publishedAt, Buffer.from(catalogue.bytes)],
        )
        await client.query(
          'DELETE FROM catalogues WHERE sequence < (SELECT max(sequence) - 1 FROM catalogues)',
        )
        for (let from = 0; from < changes.length; from += batchLength)
          await record(client, changes.slice(from, from + batchLength))
        await incrementTopic(client, topic)
        return true
      }),
    async history({ provider, instanceType, from, until }) {
      if (!isStorable(provider) || !isStorable(instanceType)) return []
      const rows = await db.rows<ChangeRow>(
        `SELECT ${changeColumns} FROM price_changes
         WHERE provider = $1 AND instance_type = $2 AND at >= $3 AND at < $4 ORDER BY at, usage_type`,
        [provider, instanceType, from, until],
      )
      return rows.map(changesFromRow)
    },
    prune: (usageType, before) =>
      db.inTransaction(async (client) => {
        const { rowCount } = await client.query(
          'DELETE FROM price_changes WHERE usage_type = $1 AND at < $2',
          [usageType, before],
        )
        return rowCount ?? 0
      }),
  }
}

/** One statement must not touch a row twice, so only the last of several records with the same key is written. */
async function record(client: PoolClient, changes: readonly PriceChanges[]): Promise<void> {
  const last = [
    ...new Map(
      changes.map((one) => [`${one.provider}\n${one.instanceType}\n${one.usageType}\n${one.at}`, one]),
    ).values(),
  ]
  await client.query(
    `INSERT INTO price_changes (${changeColumns})
     SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::bytea[])
     ON CONFLICT (provider, instance_type, usage_type, at) DO UPDATE SET packed = excluded.packed`,
    [
      last.map((one) => one.provider),
      last.map((one) => one.instanceType),
      last.map((one) => one.usageType),
      last.map((one) => one.at),
      last.map((one) => Buffer.from(one.packed)),
    ],
  )
}
