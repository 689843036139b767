import pg from 'pg'
import type { Catalogue } from '../../src/catalogue/catalogue.ts'
import type { Need } from '../../src/domain/need.ts'
import { type Way, whereOf } from './peer-query.ts'
import { canonical, columnNames, indexes, peerRows, wholeNumbers } from './peer-table.ts'

/** PostgreSQL on loopback with one connection, prepared statements, and all data in its memory. */
export class PostgresPeer {
  readonly #catalogue: Catalogue
  readonly #client: pg.Client
  readonly #names = new Map<string, string>()

  private constructor(catalogue: Catalogue, client: pg.Client) {
    this.#catalogue = catalogue
    this.#client = client
  }

  static async load(catalogue: Catalogue, url: string): Promise<PostgresPeer> {
    const client = new pg.Client(url)
    await client.connect()
    const typed = columnNames.map((name, i) => `${name} ${i < wholeNumbers ? 'integer' : 'double precision'}`)
    await client.query(`SET maintenance_work_mem = '512MB'; SET work_mem = '256MB'; SET jit = off`)
    await client.query(`CREATE UNLOGGED TABLE offer (${typed.join(', ')})`)
    let batch: (number | null)[][] = []
    const flush = async () => {
      const arrays = columnNames.map((_, c) => batch.map((row) => row[c]))
      const unnested = typed.map((column, c) => `$${c + 1}::${column.replace(/^\w+ /, '')}[]`)
      await client.query(`INSERT INTO offer SELECT * FROM unnest(${unnested.join(', ')})`, arrays)
      batch = []
    }
    for (const row of peerRows(catalogue)) if (batch.push(row) === 20_000) await flush()
    await flush()
    for (const columns of indexes) await client.query(`CREATE INDEX ON offer (${columns})`)
    await client.query('VACUUM ANALYZE offer')
    return new PostgresPeer(catalogue, client)
  }

  async ask(need: Need, way: Way): Promise<number[]> {
    const where = whereOf(this.#catalogue, need)
    if (where === undefined) return []
    const values = [...where.parameters, need.limit, need.offersPerType]
    const statement = way === 'one statement' || where.isNarrow ? allAtOnce : walking
    const text = statement(numbered(where.text), values.length - 1, values.length)
    const { rows } = await this.#client.query({ name: this.#nameOf(text), text, values })
    return rows.map((row: { id: number }) => row.id)
  }

  async close(): Promise<void> {
    await this.#client.end()
  }

  #nameOf(text: string): string {
    let name = this.#names.get(text)
    if (name === undefined) {
      name = `q${this.#names.size}`
      this.#names.set(text, name)
    }
    return name
  }
}

function numbered(text: string): string {
  let last = 0
  return text.replace(/\?/g, () => `$${++last}`)
}

function allAtOnce(where: string, limit: number, offersPerType: number): string {
  return `
    WITH ranked AS (
      SELECT *, row_number() OVER (PARTITION BY type ORDER BY ${canonical}) AS n FROM offer WHERE ${where}),
    best AS (
      SELECT type, row_number() OVER (ORDER BY ${canonical}) AS g FROM ranked
      WHERE n = 1 ORDER BY ${canonical} LIMIT $${limit})
    SELECT id FROM best JOIN ranked USING (type) WHERE n <= $${offersPerType} ORDER BY g, n`
}

/**
 * Walks along the index from the best offer of one type to that of the next type, then reads the best offers of each
 * type.
 */
function walking(where: string, limit: number, offersPerType: number): string {
  const last = canonical.replace(/\w+/g, (column) => `picked.${column}`)
  return `
    WITH RECURSIVE picked AS (
      (SELECT ${canonical}, ARRAY[type] AS seen FROM offer WHERE ${where} ORDER BY ${canonical} LIMIT 1)
      UNION ALL
      SELECT next.* FROM picked, LATERAL (
        SELECT ${canonical}, picked.seen || type AS seen FROM offer
        WHERE ${where} AND (${canonical}) > (${last}) AND type <> ALL (picked.seen)
        ORDER BY ${canonical} LIMIT 1) AS next
      WHERE cardinality(picked.seen) < $${limit})
    SELECT best.id FROM picked, LATERAL (
      SELECT id, row_number() OVER () AS n FROM (
        SELECT id FROM offer WHERE ${where} AND type = picked.type
        ORDER BY ${canonical} LIMIT $${offersPerType}) AS inOrder) AS best
    ORDER BY cardinality(picked.seen), best.n`
}
