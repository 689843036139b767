import type { DocumentStore } from '../port.ts'
import { checkText, isStorable, plainBytes } from '../storable.ts'
import { batchesOf, type SqlDatabase, valueMarks } from './sql.ts'

export const documentTable = (db: SqlDatabase): DocumentStore => ({
  async read(organisation, name) {
    if (!isStorable(organisation) || !isStorable(name)) return undefined
    const [row] = await db.rows<{ bytes: Uint8Array }>(
      'SELECT bytes FROM documents WHERE organisation = $1 AND name = $2',
      [organisation, name],
    )
    return row && plainBytes(row.bytes)
  },
  write: (organisation, name, bytes) =>
    db.inTransaction(async (sql) => {
      checkText(name)
      await sql.ensureOrganisation(organisation)
      await sql.run(
        `INSERT INTO documents (organisation, name, bytes) VALUES ($1, $2, $3)
         ON CONFLICT (organisation, name) DO UPDATE SET bytes = excluded.bytes`,
        [organisation, name, bytes],
      )
    }),
  remove: (organisation, names) =>
    db.inTransaction(async (sql) => {
      for (const some of batchesOf(names.filter(isStorable)))
        await sql.run(`DELETE FROM documents WHERE organisation = $1 AND name IN ${valueMarks([some], 1)}`, [
          organisation,
          ...some,
        ])
    }),
})
