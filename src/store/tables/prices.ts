import type { PriceChanges, PriceStore, PublishedCatalogue } from '../port-prices.ts'
import { checkPublication, isStorable, plainBytes } from '../storable.ts'
import { batchesOf, columnNames, recordColumns, type Sql, type SqlDatabase, valueMarks } from './sql.ts'

const topic = 'catalogue'
const newest = 'FROM catalogues ORDER BY sequence DESC LIMIT 1'
const members = [
  'provider',
  'instanceType',
  'usageType',
  'at',
  'packed',
] as const satisfies (keyof PriceChanges)[]

export const priceTables = (db: SqlDatabase): PriceStore => ({
  async latest() {
    const [row] = await db.rows<PublishedCatalogue>(
      `SELECT id, published_at AS "publishedAt", bytes ${newest}`,
    )
    return row && { ...row, bytes: plainBytes(row.bytes) }
  },
  latestId: () => latestId(db),
  publish: (catalogue, builtOn, changes) =>
    db.inTransaction(async (sql) => {
      checkPublication(catalogue, changes)
      if (((await latestId(sql)) ?? null) !== builtOn) return false
      await sql.run(
        `INSERT INTO catalogues (sequence, id, published_at, bytes)
         VALUES ((SELECT coalesce(max(sequence), 0) + 1 FROM catalogues), $1, $2, $3)`,
        [catalogue.id, catalogue.publishedAt, catalogue.bytes],
      )
      await sql.run('DELETE FROM catalogues WHERE sequence < (SELECT max(sequence) - 1 FROM catalogues)')
      // One statement must not write a row twice, so only the last of several changes with the same key is written.
      const lastChanges = new Map(
        changes.map((one) => [`${one.provider}\n${one.instanceType}\n${one.usageType}\n${one.at}`, one]),
      )
      for (const some of batchesOf([...lastChanges.values()])) {
        const rows = some.map((change) => members.map((member) => change[member]))
        await sql.run(
          `INSERT INTO price_changes (${columnNames(members)}) VALUES ${valueMarks(rows)}
           ON CONFLICT (provider, instance_type, usage_type, at) DO UPDATE SET packed = excluded.packed`,
          rows.flat(),
        )
      }
      await sql.increment(topic)
      return true
    }, topic),
  async history({ provider, instanceType, from, until }) {
    if (!isStorable(provider) || !isStorable(instanceType)) return []
    const rows = await db.rows<PriceChanges>(
      `SELECT ${recordColumns(members)} FROM price_changes
       WHERE provider = $1 AND instance_type = $2 AND at >= $3 AND at < $4 ORDER BY at, usage_type`,
      [provider, instanceType, from, until],
    )
    return rows.map((row) => ({ ...row, packed: plainBytes(row.packed) }))
  },
  prune: (usageType, before) =>
    db.inTransaction((sql) =>
      sql.run('DELETE FROM price_changes WHERE usage_type = $1 AND at < $2', [usageType, before]),
    ),
})

async function latestId(sql: Sql): Promise<string | undefined> {
  const [row] = await sql.rows<{ id: string }>(`SELECT id ${newest}`)
  return row?.id
}
