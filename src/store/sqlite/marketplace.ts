import type { DatabaseSync } from 'node:sqlite'
import type { MarketplaceEntry } from '../../domain/marketplace.ts'
import {
  type EntryRow,
  entryColumns,
  entryValues,
  keyAfter,
  naturalKeyColumns,
  pageOf,
} from '../entry-row.ts'
import type { MarketplaceStore } from '../port.ts'
import { checkEntry, checkEntryCount, isStorable } from '../storable.ts'
import type { SqliteChanges } from './changes.ts'
import { inTransaction } from './database.ts'
import { prepareEnsureOrganisation } from './organisations.ts'
import type { Synchronous } from './synchronous.ts'

/** What the thread serves: the entries come last, since they are sent in slices. */
interface SqliteMarketplace extends Omit<Synchronous<MarketplaceStore>, 'register'> {
  register(organisation: string, mostEntries: number | undefined, entries: readonly MarketplaceEntry[]): void
}

export function sqliteMarketplace(db: DatabaseSync, changes: SqliteChanges): SqliteMarketplace {
  const ensureOrganisation = prepareEnsureOrganisation(db)
  const upsert = db.prepare(
    `INSERT INTO marketplace_entries (organisation, ${entryColumns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (organisation, ${naturalKeyColumns}) DO UPDATE SET
       price_per_hour_usd = excluded.price_per_hour_usd, vcpus = excluded.vcpus,
       ram_gib = excluded.ram_gib, raw_json = excluded.raw_json`,
  )
  const providers = db.prepare(
    `SELECT provider, service, count(*) AS entries FROM marketplace_entries WHERE organisation = ?
     GROUP BY provider, service ORDER BY provider, service`,
  )
  const counted = db.prepare('SELECT count(*) AS entries FROM marketplace_entries WHERE organisation = ?')
  const remove = db.prepare('DELETE FROM marketplace_entries WHERE organisation = ? AND provider = ?')
  return {
    register: (organisation, mostEntries = Number.POSITIVE_INFINITY, entries) =>
      inTransaction(db, () => {
        const count = () => Number(counted.get(organisation)!.entries)
        const before = count()
        ensureOrganisation(organisation)
        for (const entry of entries) {
          checkEntry(entry)
          upsert.run(organisation, ...entryValues(entry))
        }
        checkEntryCount(before, count(), mostEntries)
        if (entries.length > 0) changes.move(`marketplace/${organisation}`)
      }),
    page: (organisation, { provider, after, limit }) => {
      const values = [organisation]
      let where = 'organisation = ?'
      if (provider !== undefined) {
        if (!isStorable(provider)) return { entries: [] }
        where += ' AND provider = ?'
        values.push(provider)
      }
      if (after !== undefined) {
        where += ` AND (${naturalKeyColumns}) > (?, ?, ?, ?, ?, ?, ?)`
        values.push(...keyAfter(after))
      }
      const rows = db
        .prepare(
          `SELECT ${entryColumns} FROM marketplace_entries WHERE ${where} ORDER BY ${naturalKeyColumns} LIMIT ?`,
        )
        .all(...values, limit + 1)
      return pageOf(rows as unknown as EntryRow[], limit)
    },
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
        if (removed > 0) changes.move(`marketplace/${organisation}`)
        return removed
      }),
  }
}
