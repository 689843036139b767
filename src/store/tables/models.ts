import type { ModelStore, StoredModel } from '../port.ts'
import { checkModel, isStorable, plainBytes } from '../storable.ts'
import type { SqlDatabase } from './sql.ts'

export const modelTable = (db: SqlDatabase): ModelStore => ({
  async trainedAt(organisation) {
    if (!isStorable(organisation)) return undefined
    const [row] = await db.rows<{ learnt_at: number }>(
      'SELECT learnt_at FROM sizing_models WHERE organisation = $1',
      [organisation],
    )
    return row?.learnt_at
  },
  async read(organisation) {
    if (!isStorable(organisation)) return undefined
    const [row] = await db.rows<StoredModel>(
      'SELECT learnt_at AS "trainedAt", format, bytes FROM sizing_models WHERE organisation = $1',
      [organisation],
    )
    return row && { ...row, bytes: plainBytes(row.bytes) }
  },
  write: (organisation, model) =>
    db.inTransaction(async (sql) => {
      checkModel(model)
      await sql.ensureOrganisation(organisation)
      await sql.run(
        `INSERT INTO sizing_models (organisation, learnt_at, format, bytes) VALUES ($1, $2, $3, $4)
         ON CONFLICT (organisation) DO UPDATE SET
           learnt_at = excluded.learnt_at, format = excluded.format, bytes = excluded.bytes
         WHERE sizing_models.learnt_at <= excluded.learnt_at`,
        [organisation, model.trainedAt, model.format, model.bytes],
      )
    }),
})
