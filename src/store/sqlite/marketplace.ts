import type { DatabaseSync } from 'node:sqlite'
import { type MarketplaceEntry, naturalKey } from '../../domain/marketplace.ts'
import {
  conditionsOf,
  entryColumns,
  entryFromRow,
  entryValues,
  idOf,
  keyAfter,
  naturalKeyColumns,
  pageOf,
  type RegisteredRow,
  registeredColumns,
} from '../entry-row.ts'
import { EntryExists, type MarketplaceStore } from '../port.ts'
import { checkEntry, checkEntryCount, isStorable } from '../storable.ts'
import type { SqliteChanges } from './changes.ts'
import { inTransaction, nowSql } from './database.ts'
import { prepareEnsureOrganisation } from './organisations.ts'
import type { Synchronous } from './synchronous.ts'

/** The methods that the database thread serves. The entries are the last argument, since they are sent in slices. */
interface SqliteMarketplace extends Omit<Synchronous<MarketplaceStore>, 'register'> {
  register(organisation: string, maxEntries: number | undefined, entries: readonly MarketplaceEntry[]): void
}

export function sqliteMarketplace(db: DatabaseSync, changes: SqliteChanges): SqliteMarketplace {
  const ensureOrganisation = prepareEnsureOrganisation(db)
  const upsert = db.prepare(
    `INSERT INTO marketplace_entries (organisation, id, ${entryColumns}, created_at, updated_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ${nowSql}, ${nowSql})
     ON CONFLICT (organisation, ${naturalKeyColumns}) DO UPDATE SET
       price_per_hour_usd = excluded.price_per_hour_usd, vcpus = excluded.vcpus,
       ram_gib = excluded.ram_gib, raw_json = excluded.raw_json, updated_at = excluded.updated_at`,
  )
  const byKey = db.prepare(
    `SELECT ${registeredColumns} FROM marketplace_entries
     WHERE organisation = ? AND (${naturalKeyColumns}) = (?, ?, ?, ?, ?, ?, ?)`,
  )
  const byId = db.prepare(
    `SELECT ${registeredColumns} FROM marketplace_entries WHERE organisation = ? AND id = ?`,
  )
  const update = db.prepare(
    `UPDATE marketplace_entries SET (${entryColumns}, updated_at) = (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ${nowSql})
     WHERE organisation = ? AND id = ? RETURNING ${registeredColumns}`,
  )
  const removeOne = db.prepare(
    `DELETE FROM marketplace_entries WHERE organisation = ? AND id = ? RETURNING ${registeredColumns}`,
  )
  const entryIn = (row: unknown) => (row === undefined ? undefined : entryFromRow(row as RegisteredRow))
  const providers = db.prepare(
    `SELECT provider, service, count(*) AS entries FROM marketplace_entries WHERE organisation = ?
     GROUP BY provider, service ORDER BY provider, service`,
  )
  const counted = db.prepare('SELECT count(*) AS entries FROM marketplace_entries WHERE organisation = ?')
  const remove = db.prepare('DELETE FROM marketplace_entries WHERE organisation = ? AND provider = ?')
  return {
    register: (organisation, maxEntries = Number.POSITIVE_INFINITY, entries) =>
      inTransaction(db, () => {
        const count = () => Number(counted.get(organisation)!.entries)
        const before = count()
        ensureOrganisation(organisation)
        for (const entry of entries) {
          checkEntry(entry)
          upsert.run(organisation, crypto.randomUUID(), ...entryValues(entry))
        }
        checkEntryCount(before, count(), maxEntries)
        if (entries.length > 0) changes.increment(`marketplace/${organisation}`)
      }),
    page: (organisation, query) => {
      const { after, limit, offset = 0 } = query
      const values = [organisation]
      let where = 'organisation = ?'
      const conditions = conditionsOf(query)
      if (conditions === undefined) return { entries: [] }
      for (const [column, value] of conditions) {
        where += ` AND ${column} = ?`
        values.push(value)
      }
      if (after !== undefined) {
        where += ` AND (${naturalKeyColumns}) > (?, ?, ?, ?, ?, ?, ?)`
        values.push(...keyAfter(after))
      }
      const rows = db
        .prepare(
          `SELECT ${registeredColumns} FROM marketplace_entries WHERE ${where}
           ORDER BY ${naturalKeyColumns} LIMIT ? OFFSET ?`,
        )
        .all(...values, limit + 1, offset)
      return pageOf(rows as unknown as RegisteredRow[], limit)
    },
    find: (organisation, keys) =>
      keys.flatMap((key) => {
        const names = naturalKey(key)
        return names.every(isStorable) ? (entryIn(byKey.get(organisation, ...names)) ?? []) : []
      }),
    findById: (organisation, id) => entryIn(byId.get(organisation, idOf(id) ?? '')),
    change: (organisation, id, changed) =>
      inTransaction(db, () => {
        const known = entryIn(byId.get(organisation, idOf(id) ?? ''))
        if (known === undefined) return undefined
        const entry = { ...known, ...changed }
        checkEntry(entry)
        const other = entryIn(byKey.get(organisation, ...naturalKey(entry)))
        if (other !== undefined && other.id !== known.id) throw new EntryExists(other.id)
        changes.increment(`marketplace/${organisation}`)
        return entryIn(update.get(...entryValues(entry), organisation, known.id))
      }),
    removeById: (organisation, id) =>
      inTransaction(db, () => {
        const removed = entryIn(removeOne.get(organisation, idOf(id) ?? ''))
        if (removed !== undefined) changes.increment(`marketplace/${organisation}`)
        return removed
      }),
    providers: (organisation) =>
      providers.all(organisation).map((row) => ({
        provider: String(row.provider),
        service: String(row.service),
        entries: Number(row.entries),
      })),
    remove: (organisation, provider) =>
      inTransaction(db, () => {
        if (!isStorable(provider)) return 0
        const removed = Number(remove.run(organisation, provider).changes)
        if (removed > 0) changes.increment(`marketplace/${organisation}`)
        return removed
      }),
  }
}
