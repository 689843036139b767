import type { DatabaseSync } from 'node:sqlite'
import type { ModelStore } from '../port.ts'
import { plainBytes } from '../rows.ts'
import { checkModel, isStorable } from '../storable.ts'
import { inTransaction } from './database.ts'
import { prepareEnsureOrganisation } from './organisations.ts'
import type { Synchronous } from './synchronous.ts'

export function sqliteModels(db: DatabaseSync): Synchronous<ModelStore> {
  const ensureOrganisation = prepareEnsureOrganisation(db)
  const trainedAt = db.prepare('SELECT learnt_at FROM sizing_models WHERE organisation = ?')
  const read = db.prepare('SELECT learnt_at, format, bytes FROM sizing_models WHERE organisation = ?')
  const write = db.prepare(
    `INSERT INTO sizing_models (organisation, learnt_at, format, bytes) VALUES (?, ?, ?, ?)
     ON CONFLICT (organisation) DO UPDATE SET
       learnt_at = excluded.learnt_at, format = excluded.format, bytes = excluded.bytes
     WHERE sizing_models.learnt_at <= excluded.learnt_at`,
  )
  return {
    trainedAt: (organisation) => {
      const row = isStorable(organisation) ? trainedAt.get(organisation) : undefined
      return row && Number(row.learnt_at)
    },
    read: (organisation) => {
      const row = isStorable(organisation) ? read.get(organisation) : undefined
      return (
        row && {
          trainedAt: Number(row.learnt_at),
          format: String(row.format),
          bytes: plainBytes(row.bytes as Uint8Array),
        }
      )
    },
    write: (organisation, model) =>
      inTransaction(db, () => {
        checkModel(model)
        ensureOrganisation(organisation)
        write.run(organisation, model.trainedAt, model.format, model.bytes)
      }),
  }
}
