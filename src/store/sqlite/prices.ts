import type { DatabaseSync } from 'node:sqlite'
import type { PriceStore } from '../port-prices.ts'
import { type ChangeRow, changeColumns, changesFromRow, checkPublication, plainBytes } from '../rows.ts'
import { isStorable } from '../storable.ts'
import type { SqliteChanges } from './changes.ts'
import { inTransaction } from './database.ts'
import type { Synchronous } from './synchronous.ts'

export function sqlitePrices(db: DatabaseSync, changes: SqliteChanges): Synchronous<PriceStore> {
  const newest = 'FROM catalogues ORDER BY sequence DESC LIMIT 1'
  const latest = db.prepare(`SELECT id, published_at, bytes ${newest}`)
  const latestId = db.prepare(`SELECT id ${newest}`)
  const insert = db.prepare(
    `INSERT INTO catalogues (sequence, id, published_at, bytes)
     VALUES ((SELECT coalesce(max(sequence), 0) + 1 FROM catalogues), ?, ?, ?)`,
  )
  const forget = db.prepare(
    'DELETE FROM catalogues WHERE sequence < (SELECT max(sequence) - 1 FROM catalogues)',
  )
  const record = db.prepare(
    `INSERT INTO price_changes (${changeColumns}) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (provider, instance_type, usage_type, at) DO UPDATE SET packed = excluded.packed`,
  )
  const history = db.prepare(
    `SELECT ${changeColumns} FROM price_changes
     WHERE provider = ? AND instance_type = ? AND at >= ? AND at < ? ORDER BY at, usage_type`,
  )
  const prune = db.prepare('DELETE FROM price_changes WHERE usage_type = ? AND at < ?')
  const idInForce = (): string | undefined => latestId.get()?.id as string | undefined
  return {
    latest: () => {
      const row = latest.get()
      if (row === undefined) return undefined
      return {
        id: String(row.id),
        publishedAt: Number(row.published_at),
        bytes: plainBytes(row.bytes as Uint8Array),
      }
    },
    latestId: idInForce,
    publish: (catalogue, builtOn, moved) =>
      inTransaction(db, () => {
        checkPublication(catalogue, moved)
        if ((idInForce() ?? null) !== builtOn) return false
        insert.run(catalogue.id, catalogue.publishedAt, catalogue.bytes)
        forget.run()
        for (const { provider, instanceType, usageType, at, packed } of moved)
          record.run(provider, instanceType, usageType, at, packed)
        changes.increment('catalogue')
        return true
      }),
    history: ({ provider, instanceType, from, until }) => {
      if (!isStorable(provider) || !isStorable(instanceType)) return []
      const rows = history.all(provider, instanceType, from, until)
      return (rows as unknown as ChangeRow[]).map(changesFromRow)
    },
    prune: (usageType, before) => inTransaction(db, () => Number(prune.run(usageType, before).changes)),
  }
}
