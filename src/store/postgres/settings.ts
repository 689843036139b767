import { type SettingsStore, settingTopic } from '../port.ts'
import { checkOrganisation, checkSetting, isStorable } from '../storable.ts'
import { incrementTopic, lockTopic } from './changes.ts'
import type { Database } from './database.ts'
import { ensureOrganisation } from './organisations.ts'

export function postgresSettings(db: Database): SettingsStore {
  return {
    async read(organisation, name) {
      if (!isStorable(organisation) || !isStorable(name)) return undefined
      const rows = await db.rows<{ value: string }>(
        'SELECT value FROM organisation_settings WHERE organisation = $1 AND name = $2',
        [organisation, name],
      )
      return rows[0]?.value
    },
    write: (organisation, name, value) =>
      db.inTransaction(async (client) => {
        checkOrganisation(organisation)
        checkSetting(name, value)
        const topic = settingTopic(name, organisation)
        await lockTopic(client, topic)
        await ensureOrganisation(client, organisation)
        if (value === undefined)
          await client.query('DELETE FROM organisation_settings WHERE organisation = $1 AND name = $2', [
            organisation,
            name,
          ])
        else
          await client.query(
            `INSERT INTO organisation_settings (organisation, name, value) VALUES ($1, $2, $3)
             ON CONFLICT (organisation, name) DO UPDATE SET value = excluded.value`,
            [organisation, name, value],
          )
        await incrementTopic(client, topic)
      }),
    replace: (organisation, name, before, value) =>
      db.inTransaction(async (client) => {
        checkOrganisation(organisation)
        checkSetting(name, value)
        const topic = settingTopic(name, organisation)
        await lockTopic(client, topic)
        await ensureOrganisation(client, organisation)
        const at = [organisation, name]
        if (before === undefined && value === undefined) {
          const { rowCount } = await client.query(
            'SELECT 1 FROM organisation_settings WHERE organisation = $1 AND name = $2',
            at,
          )
          return rowCount === 0
        }
        // A statement that waited for another writer compares with what that one has written.
        const { rowCount } =
          before === undefined
            ? await client.query(
                `INSERT INTO organisation_settings (organisation, name, value) VALUES ($1, $2, $3)
                 ON CONFLICT (organisation, name) DO NOTHING`,
                [...at, value],
              )
            : value === undefined
              ? await client.query(
                  'DELETE FROM organisation_settings WHERE organisation = $1 AND name = $2 AND value = $3',
                  [...at, before],
                )
              : await client.query(
                  `UPDATE organisation_settings SET value = $4
                   WHERE organisation = $1 AND name = $2 AND value = $3`,
                  [...at, before, value],
                )
        if (rowCount! > 0) await incrementTopic(client, topic)
        return rowCount! > 0
      }),
  }
}
