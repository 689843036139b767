import type { PoolClient } from 'pg'
import type { MarketplaceEntry } from '../../domain/marketplace.ts'
import { type EntryRow, entryColumns, entryToRow, keyAfter, naturalKeyColumns, pageOf } from '../entry-row.ts'
import type { MarketplaceStore } from '../port.ts'
import { checkEntry, checkEntryCount, isStorable } from '../storable.ts'
import { lockTopic, moveTopic } from './changes.ts'
import type { Database } from './database.ts'
import { ensureOrganisation } from './organisations.ts'

/** Entries per statement; other work of the event loop runs in between. */
const batchLength = 500

export function postgresMarketplace(db: Database): MarketplaceStore {
  return {
    register: (organisation, entries, mostEntries = Number.POSITIVE_INFINITY) =>
      db.inTransaction(async (client) => {
        // Held until the end of the transaction, so that no entries are added between the counts.
        await lockTopic(client, `marketplace/${organisation}`)
        const before = await countEntries(client, organisation)
        await ensureOrganisation(client, organisation)
        for (let from = 0; from < entries.length; from += batchLength) {
          await upsert(client, organisation, entries.slice(from, from + batchLength))
        }
        checkEntryCount(before, await countEntries(client, organisation), mostEntries)
        if (entries.length > 0) await moveTopic(client, `marketplace/${organisation}`)
      }),
    async page(organisation, { provider, after, limit }) {
      const values: (string | number)[] = [organisation, limit + 1]
      let where = 'organisation = $1'
      if (provider !== undefined) {
        if (!isStorable(provider)) return { entries: [] }
        where += ` AND provider = $${values.push(provider)}`
      }
      if (after !== undefined) {
        const marks = keyAfter(after).map((name) => `$${values.push(name)}`)
        where += ` AND (${naturalKeyColumns}) > (${marks.join(', ')})`
      }
      const rows = await db.rows<EntryRow>(
        `SELECT ${entryColumns} FROM marketplace_entries WHERE ${where} ORDER BY ${naturalKeyColumns} LIMIT $2`,
        values,
      )
      return pageOf(rows, limit)
    },
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
        if (rowCount) await moveTopic(client, `marketplace/${organisation}`)
        return rowCount ?? 0
      }),
  }
}

async function countEntries(client: PoolClient, organisation: string): Promise<number> {
  const { rows } = await client.query<{ entries: number }>(
    'SELECT count(*) AS entries FROM marketplace_entries WHERE organisation = $1',
    [organisation],
  )
  return rows[0]!.entries
}

/** One statement may not touch a row twice, so of entries with the same natural key only the last goes in. */
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
       ram_gib = excluded.ram_gib, raw_json = excluded.raw_json`,
    [organisation, JSON.stringify(rows)],
  )
}
