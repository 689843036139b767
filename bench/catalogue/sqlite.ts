import { DatabaseSync, type StatementSync } from 'node:sqlite'
import type { Catalogue } from '../../src/catalogue/catalogue.ts'
import type { Need } from '../../src/domain/need.ts'
import { type Way, whereOf } from './peer-query.ts'
import { canonical, columnNames, indexes, peerRows } from './peer-table.ts'

/** SQLite in this process and in memory, with prepared statements. */
export class SqlitePeer {
  readonly #catalogue: Catalogue
  readonly #database = new DatabaseSync(':memory:')
  readonly #statements = new Map<string, StatementSync>()

  constructor(catalogue: Catalogue) {
    this.#catalogue = catalogue
    this.#database.exec(
      `CREATE TABLE offer (${columnNames.join(', ').replace('id', 'id INTEGER PRIMARY KEY')})`,
    )
    const insert = this.#prepared(`INSERT INTO offer VALUES (${columnNames.map(() => '?').join(', ')})`)
    this.#database.exec('BEGIN')
    for (const row of peerRows(catalogue)) insert.run(...row)
    this.#database.exec('COMMIT')
    for (const columns of indexes) this.#database.exec(`CREATE INDEX "${columns}" ON offer (${columns})`)
    this.#database.exec('ANALYZE')
  }

  ask(need: Need, way: Way): number[] {
    const where = whereOf(this.#catalogue, need)
    if (where === undefined) return []
    const { text, parameters } = where
    if (way === 'one statement' || where.isNarrow) {
      const rows = this.#prepared(`
        WITH ranked AS (
          SELECT *, row_number() OVER (PARTITION BY type ORDER BY ${canonical}) AS n FROM offer WHERE ${text}),
        best AS (
          SELECT type, row_number() OVER (ORDER BY ${canonical}) AS g FROM ranked
          WHERE n = 1 ORDER BY ${canonical} LIMIT ?)
        SELECT id FROM best JOIN ranked USING (type) WHERE n <= ? ORDER BY g, n`)
      return ids(rows.all(...parameters, need.limit, need.offersPerType))
    }
    const byPrice = this.#prepared(`SELECT type FROM offer WHERE ${text} ORDER BY ${canonical}`)
    const types = new Set<number>()
    for (const row of byPrice.iterate(...parameters))
      if (types.add(row.type as number).size === need.limit) break
    const best = this.#prepared(
      `SELECT id FROM offer WHERE ${text} AND type = ? ORDER BY ${canonical} LIMIT ?`,
    )
    return [...types].flatMap((type) => ids(best.all(...parameters, type, need.offersPerType)))
  }

  close(): void {
    this.#database.close()
  }

  #prepared(sql: string): StatementSync {
    let statement = this.#statements.get(sql)
    if (statement === undefined) {
      statement = this.#database.prepare(sql)
      this.#statements.set(sql, statement)
    }
    return statement
  }
}

const ids = (rows: readonly Record<string, unknown>[]): number[] => rows.map((row) => row.id as number)
