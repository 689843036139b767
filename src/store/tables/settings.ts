import { type ModelStore, type SettingsStore, type StoredModel, settingTopic } from '../port.ts'
import { checkModel, checkSetting, isStorable, plainBytes } from '../storable.ts'
import type { Sql, SqlDatabase } from './sql.ts'

export function settingsTable(db: SqlDatabase): SettingsStore {
  /** Writes the value if the stored one may be replaced. Returns whether it may. */
  const writeIf = (
    organisation: string,
    name: string,
    value: string | undefined,
    mayReplace: (sql: Sql) => Promise<boolean>,
  ): Promise<boolean> =>
    db.inTransaction(
      async (sql) => {
        checkSetting(name, value)
        await sql.ensureOrganisation(organisation)
        if (!(await mayReplace(sql))) return false
        const written =
          value === undefined
            ? await sql.run(`DELETE FROM ${storedSetting}`, [organisation, name])
            : await sql.run(
                `INSERT INTO organisation_settings (organisation, name, value) VALUES ($1, $2, $3)
               ON CONFLICT (organisation, name) DO UPDATE SET value = excluded.value`,
                [organisation, name, value],
              )
        if (written > 0) await sql.increment(settingTopic(name, organisation))
        return true
      },
      settingTopic(name, organisation),
    )

  return {
    async read(organisation, name) {
      return isStorable(organisation) && isStorable(name) ? readSetting(db, organisation, name) : undefined
    },
    async write(organisation, name, value) {
      await writeIf(organisation, name, value, async () => true)
    },
    replace: (organisation, name, before, value) =>
      writeIf(
        organisation,
        name,
        value,
        async (sql) => (await readSetting(sql, organisation, name)) === before,
      ),
  }
}

const storedSetting = 'organisation_settings WHERE organisation = $1 AND name = $2'

async function readSetting(sql: Sql, organisation: string, name: string): Promise<string | undefined> {
  const [row] = await sql.rows<{ value: string }>(`SELECT value FROM ${storedSetting}`, [organisation, name])
  return row?.value
}

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
