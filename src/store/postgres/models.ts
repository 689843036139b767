import type { ModelStore } from '../port.ts'
import { plainBytes } from '../rows.ts'
import { checkModel, isStorable } from '../storable.ts'
import type { Database } from './database.ts'
import { ensureOrganisation } from './organisations.ts'

export function postgresModels(db: Database): ModelStore {
  return {
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
      const [row] = await db.rows<{ learnt_at: number; format: string; bytes: Uint8Array }>(
        'SELECT learnt_at, format, bytes FROM sizing_models WHERE organisation = $1',
        [organisation],
      )
      return row && { trainedAt: row.learnt_at, format: row.format, bytes: plainBytes(row.bytes) }
    },
    write: (organisation, model) =>
      db.inTransaction(async (client) => {
        checkModel(model)
        await ensureOrganisation(client, organisation)
        await client.query(
          `INSERT INTO sizing_models (organisation, learnt_at, format, bytes) VALUES ($1, $2, $3, $4)
           ON CONFLICT (organisation) DO UPDATE SET
             learnt_at = excluded.learnt_at, format = excluded.format, bytes = excluded.bytes
           WHERE sizing_models.learnt_at <= excluded.learnt_at`,
          [organisation, model.trainedAt, model.format, Buffer.from(model.bytes)],
        )
      }),
  }
}
