import type { NodePriceStore, StoredNodePrice } from '../port-node-prices.ts'
import { checkNodePrice, isStorable } from '../storable.ts'
import {
  batchesOf,
  columnNames,
  recordColumns,
  type SqlDatabase,
  type Transaction,
  valueMarks,
} from './sql.ts'

const members = ['kind', 'cluster', 'name', 'day', 'json'] as const satisfies (keyof StoredNodePrice)[]

export const nodePriceTable = (db: SqlDatabase): NodePriceStore => ({
  async read(organisation, { kind, cluster, from, to }) {
    if (![organisation, kind ?? '', cluster ?? ''].every(isStorable)) return []
    const values: (string | number)[] = [organisation, from, to]
    const only = [
      { column: 'kind', value: kind },
      { column: 'cluster', value: cluster },
    ].flatMap(({ column, value }) => (value === undefined ? [] : [`AND ${column} = $${values.push(value)}`]))
    return db.rows<StoredNodePrice>(
      `SELECT ${recordColumns(members)} FROM node_prices AS prices
       WHERE organisation = $1 ${only.join(' ')} AND day < $3 AND day >= coalesce((
         SELECT max(earlier.day) FROM node_prices AS earlier
         WHERE earlier.organisation = prices.organisation AND earlier.kind = prices.kind
           AND earlier.cluster = prices.cluster AND earlier.name = prices.name AND earlier.day <= $2), 0)
       ORDER BY day`,
      values,
    )
  },
  write: (organisation, prices) => db.inTransaction((sql) => insert(sql, organisation, prices)),
  replace: (organisation, { from, to }, prices) =>
    db.inTransaction(async (sql) => {
      await sql.run('DELETE FROM node_prices WHERE organisation = $1 AND day >= $2 AND day < $3', [
        organisation,
        from,
        to,
      ])
      await insert(sql, organisation, prices)
    }),
  remove: (organisation, nodes) =>
    db.inTransaction(async (sql) => {
      for (const some of batchesOf(nodes)) {
        const rows = some.map(({ kind, cluster, name }) => [kind, cluster, name])
        await sql.run(
          `DELETE FROM node_prices WHERE organisation = $1 AND (kind, cluster, name) IN (VALUES ${valueMarks(rows, 1)})`,
          [organisation, ...rows.flat()],
        )
      }
    }),
})

async function insert(sql: Transaction, organisation: string, prices: readonly StoredNodePrice[]) {
  prices.forEach(checkNodePrice)
  await sql.ensureOrganisation(organisation)
  for (const some of batchesOf(prices)) {
    const rows = some.map((price) => [organisation, ...members.map((member) => price[member])])
    await sql.run(
      `INSERT INTO node_prices (organisation, ${columnNames(members)}) VALUES ${valueMarks(rows)}
       ON CONFLICT (organisation, kind, cluster, name, day) DO NOTHING`,
      rows.flat(),
    )
  }
}
