import type { PoolClient } from 'pg'
import { type MarketplaceEntry, naturalKey, type RegisteredEntry } from '../../domain/marketplace.ts'
import {
  conditionsOf,
  entryColumns,
  entryFromRow,
  entryToRow,
  entryValues,
  idOf,
  keyAfter,
  naturalKeyColumns,
  pageOf,
  type RegisteredRow,
  registeredColumns,
} from '../entry-row.ts'
import { EntryExists, type MarketplaceStore, type NaturalKey } from '../port.ts'
import { checkEntry, checkEntryCount, isStorable } from '../storable.ts'
import { incrementTopic, lockTopic } from './changes.ts'
import { type Database, nowSql } from './database.ts'
import { ensureOrganisation } from './organisations.ts'

/** Entries per statement; other work of the event loop runs in between. */
const batchLength = 500

export function postgresMarketplace(db: Database): MarketplaceStore {
  return {
    register: (organisation, entries, maxEntries = Number.POSITIVE_INFINITY) =>
      db.inTransaction(async (client) => {
        // The lock is held until the end of the transaction, so that no entries are added between the counts.
        await lockTopic(client, `marketplace/${organisation}`)
        const before = await countEntries(client, organisation)
        await ensureOrganisation(client, organisation)
        for (let from = 0; from < entries.length; from += batchLength) {
          await upsert(client, organisation, entries.slice(from, from + batchLength))
        }
        checkEntryCount(before, await countEntries(client, organisation), maxEntries)
        if (entries.length > 0) await incrementTopic(client, `marketplace/${organisation}`)
      }),
    async page(organisation, query) {
      const { after, limit, offset = 0 } = query
      const values: (string | number)[] = [organisation, limit + 1, offset]
      let where = 'organisation = $1'
      const conditions = conditionsOf(query)
      if (conditions === undefined) return { entries: [] }
      for (const [column, value] of conditions) where += ` AND ${column} = $${values.push(value)}`
      if (after !== undefined) {
        const marks = keyAfter(after).map((name) => `$${values.push(name)}`)
        where += ` AND (${naturalKeyColumns}) > (${marks.join(', ')})`
      }
      const rows = await db.rows<RegisteredRow>(
        `SELECT ${registeredColumns} FROM marketplace_entries WHERE ${where}
         ORDER BY ${naturalKeyColumns} LIMIT $2 OFFSET $3`,
        values,
      )
      return pageOf(rows, limit)
    },
    async find(organisation, keys) {
      const storable = keys.filter((key) => naturalKey(key).every(isStorable))
      const rows = await db.rows<RegisteredRow>(byKeysSql, [organisation, keysJson(storable)])
      return rows.map(entryFromRow)
    },
    async findById(organisation, id) {
      const rows = await db.rows<RegisteredRow>(
        `SELECT ${registeredColumns} FROM marketplace_entries WHERE organisation = $1 AND id = $2`,
        [organisation, idOf(id) ?? null],
      )
      return entryIn(rows)
    },
    change: (organisation, id, changes) =>
      db.inTransaction(async (client) => {
        await lockTopic(client, `marketplace/${organisation}`)
        const found = await client.query<RegisteredRow>(
          `SELECT ${registeredColumns} FROM marketplace_entries WHERE organisation = $1 AND id = $2`,
          [organisation, idOf(id) ?? null],
        )
        const known = entryIn(found.rows)
        if (known === undefined) return undefined
        const entry = { ...known, ...changes }
        checkEntry(entry)
        const others = await client.query<RegisteredRow>(byKeysSql, [organisation, keysJson([entry])])
        const other = entryIn(others.rows)
        if (other !== undefined && other.id !== known.id) throw new EntryExists(other.id)
        const values = entryValues(entry)
        const marks = values.map((_, i) => `$${i + 3}`)
        const changed = await client.query<RegisteredRow>(
          `UPDATE marketplace_entries SET (${entryColumns}, updated_at) = (${marks.join(', ')}, ${nowSql})
           WHERE organisation = $1 AND id = $2 RETURNING ${registeredColumns}`,
          [organisation, known.id, ...values],
        )
        await incrementTopic(client, `marketplace/${organisation}`)
        return entryIn(changed.rows)
      }),
    removeById: (organisation, id) =>
      db.inTransaction(async (client) => {
        await lockTopic(client, `marketplace/${organisation}`)
        const { rows } = await client.query<RegisteredRow>(
          `DELETE FROM marketplace_entries WHERE organisation = $1 AND id = $2 RETURNING ${registeredColumns}`,
          [organisation, idOf(id) ?? null],
        )
        const removed = entryIn(rows)
        if (removed !== undefined) await incrementTopic(client, `marketplace/${organisation}`)
        return removed
      }),
    providers: (organisation) =>
      db.rows(
        `SELECT provider, service, count(*) AS entries FROM marketplace_entries WHERE organisation = $1
         GROUP BY provider, service ORDER BY provider, service`,
        [organisation],
      ),
    remove: (organisation, provider) =>
      db.inTransaction(async (client) => {
        if (!isStorable(provider)) return 0
        await lockTopic(client, `marketplace/${organisation}`)
        const { rowCount } = await client.query(
          'DELETE FROM marketplace_entries WHERE organisation = $1 AND provider = $2',
          [organisation, provider],
        )
        if (rowCount) await incrementTopic(client, `marketplace/${organisation}`)
        return rowCount ?? 0
      }),
  }
}

const byKeysSql = `SELECT ${registeredColumns} FROM marketplace_entries
  WHERE organisation = $1 AND (${naturalKeyColumns}) IN (
    SELECT ${naturalKeyColumns} FROM json_to_recordset($2::json) AS asked (
      provider text, service text, region text, zone text, instance_type text,
      operating_system text, usage_type text))`

const keysJson = (keys: readonly NaturalKey[]): string =>
  JSON.stringify(
    keys.map((key) => ({
      provider: key.provider,
      service: key.service,
      region: key.region,
      zone: key.zone,
      instance_type: key.instanceType,
      operating_system: key.operatingSystem,
      usage_type: key.usageType,
    })),
  )

const entryIn = ([row]: readonly RegisteredRow[]): RegisteredEntry | undefined => row && entryFromRow(row)

async function countEntries(client: PoolClient, organisation: string): Promise<number> {
  const { rows } = await client.query<{ entries: number }>(
    'SELECT count(*) AS entries FROM marketplace_entries WHERE organisation = $1',
    [organisation],
  )
  return rows[0]!.entries
}

/**
 * One statement must not touch a row twice, so only the last of several entries with the same natural key is written.
 */
async function upsert(
  client: PoolClient,
  organisation: string,
  entries: readonly MarketplaceEntry[],
): Promise<void> {
  entries.forEach(checkEntry)
  const rows = entries.map((entry, position) => ({ ...entryToRow(entry), position }))
  await client.query(
    `INSERT INTO marketplace_entries (organisation, ${entryColumns})
     SELECT DISTINCT ON (${naturalKeyColumns}) $1, ${entryColumns}
     FROM json_to_recordset($2::json) AS sent (
       position integer, provider text, service text, region text, zone text, instance_type text,
       operating_system text, usage_type text, price_per_hour_usd double precision,
       vcpus double precision, ram_gib double precision, raw_json text)
     ORDER BY ${naturalKeyColumns}, position DESC
     ON CONFLICT (organisation, ${naturalKeyColumns}) DO UPDATE SET
       price_per_hour_usd = excluded.price_per_hour_usd, vcpus = excluded.vcpus,
       ram_gib = excluded.ram_gib, raw_json = excluded.raw_json, updated_at = excluded.updated_at`,
    [organisation, JSON.stringify(rows)],
  )
}
