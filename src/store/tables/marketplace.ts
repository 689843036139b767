import { cursorOf, namesInCursor } from '../../domain/cursor.ts'
import { type MarketplaceEntry, naturalKey, type RegisteredEntry } from '../../domain/marketplace.ts'
import {
  BadCursor,
  EntryExists,
  type MarketplacePage,
  type MarketplaceQuery,
  type MarketplaceStore,
  type NaturalKey,
} from '../port.ts'
import { checkEntry, checkEntryCount, isStorable } from '../storable.ts'
import {
  batchesOf,
  columnName,
  columnNames,
  recordColumns,
  type Sql,
  type SqlDatabase,
  type Transaction,
  valueMarks,
} from './sql.ts'

const keyMembers = [
  'provider',
  'service',
  'region',
  'zone',
  'instanceType',
  'operatingSystem',
  'usageType',
] as const satisfies (keyof NaturalKey)[]
const entryMembers = [...keyMembers, 'pricePerHourUsd', 'vcpus', 'ramGib', 'rawJson'] as const
const keyColumns = columnNames(keyMembers)
const record = recordColumns([...entryMembers, 'id', 'createdAt', 'updatedAt'])
const ofId = 'marketplace_entries WHERE organisation = $1 AND id = $2'

export function marketplaceTable(db: SqlDatabase): MarketplaceStore {
  /** Until the end of the transaction no other node changes the entries. */
  const inTurn = <Result>(organisation: string, work: (sql: Transaction) => Promise<Result>) =>
    db.inTransaction(work, topicOf(organisation))
  return {
    register: (organisation, entries, maxEntries = Number.POSITIVE_INFINITY) =>
      inTurn(organisation, async (sql) => {
        const before = await countEntries(sql, organisation)
        await sql.ensureOrganisation(organisation)
        entries.forEach(checkEntry)
        // One statement must not write a row twice, so only the last of several entries with the same key is written.
        const lastEntries = new Map(entries.map((entry) => [JSON.stringify(naturalKey(entry)), entry]))
        const [clock] = await sql.rows<{ now: number }>(`SELECT ${db.now} AS now`)
        for (const some of batchesOf([...lastEntries.values()]))
          await upsert(sql, organisation, some, clock!.now)
        checkEntryCount(before, await countEntries(sql, organisation), maxEntries)
        if (entries.length > 0) await sql.increment(topicOf(organisation))
      }),
    async page(organisation, query) {
      const { after, limit, offset = 0 } = query
      const conditions = conditionsOf(query)
      if (conditions === undefined) return { entries: [] }
      const values: (string | number)[] = [organisation, limit + 1, offset]
      let where = 'organisation = $1'
      for (const [column, value] of conditions) where += ` AND ${column} = $${values.push(value)}`
      if (after !== undefined) {
        const key = keyAfter(after)
        where += ` AND (${keyColumns}) > ${valueMarks([key], values.length)}`
        values.push(...key)
      }
      const rows = await db.rows<RegisteredEntry>(
        `SELECT ${record} FROM marketplace_entries WHERE ${where} ORDER BY ${keyColumns} LIMIT $2 OFFSET $3`,
        values,
      )
      return pageOf(rows, limit)
    },
    find: (organisation, keys) => findByKeys(db, organisation, keys),
    findById: (organisation, id) => findById(db, organisation, id),
    change: (organisation, id, changes) =>
      inTurn(organisation, async (sql) => {
        const known = await findById(sql, organisation, id)
        if (known === undefined) return undefined
        const entry = { ...known, ...changes }
        checkEntry(entry)
        const [other] = await findByKeys(sql, organisation, [entry])
        if (other !== undefined && other.id !== known.id) throw new EntryExists(other.id)
        const values = entryMembers.map((member) => entry[member])
        const [changed] = await sql.rows<RegisteredEntry>(
          `UPDATE marketplace_entries
           SET (${columnNames(entryMembers)}, updated_at) = (${values.map((_, i) => `$${i + 3}`).join(', ')}, ${db.now})
           WHERE organisation = $1 AND id = $2 RETURNING ${record}`,
          [organisation, known.id, ...values],
        )
        await sql.increment(topicOf(organisation))
        return changed
      }),
    removeById: (organisation, id) =>
      inTurn(organisation, async (sql) => {
        const [removed] = await sql.rows<RegisteredEntry>(`DELETE FROM ${ofId} RETURNING ${record}`, [
          organisation,
          idOf(id),
        ])
        if (removed !== undefined) await sql.increment(topicOf(organisation))
        return removed
      }),
    providers: (organisation) =>
      db.rows(
        `SELECT provider, service, count(*) AS entries FROM marketplace_entries WHERE organisation = $1
         GROUP BY provider, service ORDER BY provider, service`,
        [organisation],
      ),
    remove: (organisation, provider) =>
      inTurn(organisation, async (sql) => {
        if (!isStorable(provider)) return 0
        const removed = await sql.run(
          'DELETE FROM marketplace_entries WHERE organisation = $1 AND provider = $2',
          [organisation, provider],
        )
        if (removed > 0) await sql.increment(topicOf(organisation))
        return removed
      }),
  }
}

async function upsert(
  sql: Transaction,
  organisation: string,
  entries: readonly MarketplaceEntry[],
  now: number,
): Promise<void> {
  const rows = entries.map((entry) => [
    organisation,
    crypto.randomUUID(),
    now,
    now,
    ...entryMembers.map((member) => entry[member]),
  ])
  await sql.run(
    `INSERT INTO marketplace_entries (organisation, id, created_at, updated_at, ${columnNames(entryMembers)})
     VALUES ${valueMarks(rows)}
     ON CONFLICT (organisation, ${keyColumns}) DO UPDATE SET
       price_per_hour_usd = excluded.price_per_hour_usd, vcpus = excluded.vcpus,
       ram_gib = excluded.ram_gib, raw_json = excluded.raw_json, updated_at = excluded.updated_at`,
    rows.flat(),
  )
}

const topicOf = (organisation: string): string => `marketplace/${organisation}`

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Returns an id as it is stored, or null, which no entry has, if it is not a valid id. */
function idOf(given: string): string | null {
  const id = given.toLowerCase()
  return uuid.test(id) ? id : null
}

async function findById(sql: Sql, organisation: string, id: string): Promise<RegisteredEntry | undefined> {
  const [row] = await sql.rows<RegisteredEntry>(`SELECT ${record} FROM ${ofId}`, [organisation, idOf(id)])
  return row
}

async function findByKeys(sql: Sql, organisation: string, keys: readonly NaturalKey[]) {
  const found: RegisteredEntry[] = []
  for (const some of batchesOf(keys.map(naturalKey).filter((key) => key.every(isStorable))))
    found.push(
      ...(await sql.rows<RegisteredEntry>(
        `SELECT ${record} FROM marketplace_entries
         WHERE organisation = $1 AND (${keyColumns}) IN (VALUES ${valueMarks(some, 1)})`,
        [organisation, ...some.flat()],
      )),
    )
  return found
}

async function countEntries(sql: Sql, organisation: string): Promise<number> {
  const [row] = await sql.rows<{ entries: number }>(
    'SELECT count(*) AS entries FROM marketplace_entries WHERE organisation = $1',
    [organisation],
  )
  return row!.entries
}

/** Returns the columns that a query limits to one value, with that value. Returns undefined if no row can match. */
function conditionsOf(query: MarketplaceQuery): (readonly [column: string, value: string])[] | undefined {
  const limited = ['provider', 'service', 'region', 'instanceType', 'usageType'] as const
  const conditions = limited.flatMap((member) => {
    const value = query[member]
    return value === undefined ? [] : [[columnName(member), value] as const]
  })
  return conditions.every(([, value]) => isStorable(value)) ? conditions : undefined
}

/** Expects one row beyond the limit, to find out whether there are more. */
function pageOf(rows: readonly RegisteredEntry[], limit: number): MarketplacePage {
  const entries = rows.slice(0, limit)
  const last = entries.at(-1)
  return rows.length > limit && last !== undefined
    ? { entries, next: cursorOf(naturalKey(last)) }
    : { entries }
}

/** Returns the natural key after which a page begins. */
function keyAfter(cursor: string): string[] {
  const key = namesInCursor(cursor, keyMembers.length)
  if (key === undefined || !key.every(isStorable))
    throw new BadCursor('The cursor must come from a Link header')
  return key
}
