import type { DatabaseSync } from 'node:sqlite'
import { type SettingsStore, settingTopic } from '../port.ts'
import { checkSetting, isStorable } from '../storable.ts'
import type { SqliteChanges } from './changes.ts'
import { inTransaction } from './database.ts'
import { prepareEnsureOrganisation } from './organisations.ts'
import type { Synchronous } from './synchronous.ts'

export function sqliteSettings(db: DatabaseSync, changes: SqliteChanges): Synchronous<SettingsStore> {
  const ensureOrganisation = prepareEnsureOrganisation(db)
  const read = db.prepare('SELECT value FROM organisation_settings WHERE organisation = ? AND name = ?')
  const write = db.prepare(
    `INSERT INTO organisation_settings (organisation, name, value) VALUES (?, ?, ?)
     ON CONFLICT (organisation, name) DO UPDATE SET value = excluded.value`,
  )
  const remove = db.prepare('DELETE FROM organisation_settings WHERE organisation = ? AND name = ?')
  const insertNew = db.prepare(
    `INSERT INTO organisation_settings (organisation, name, value) VALUES (?, ?, ?)
     ON CONFLICT (organisation, name) DO NOTHING`,
  )
  const update = db.prepare(
    'UPDATE organisation_settings SET value = ? WHERE organisation = ? AND name = ? AND value = ?',
  )
  const removeKnown = db.prepare(
    'DELETE FROM organisation_settings WHERE organisation = ? AND name = ? AND value = ?',
  )
  return {
    read: (organisation, name) => {
      if (!isStorable(organisation) || !isStorable(name)) return undefined
      return read.get(organisation, name)?.value as string | undefined
    },
    write: (organisation, name, value) =>
      inTransaction(db, () => {
        checkSetting(name, value)
        ensureOrganisation(organisation)
        if (value === undefined) remove.run(organisation, name)
        else write.run(organisation, name, value)
        changes.increment(settingTopic(name, organisation))
      }),
    replace: (organisation, name, before, value) =>
      inTransaction(db, () => {
        checkSetting(name, value)
        ensureOrganisation(organisation)
        if (before === undefined && value === undefined) return read.get(organisation, name) === undefined
        const { changes: rows } =
          before === undefined
            ? insertNew.run(organisation, name, value!)
            : value === undefined
              ? removeKnown.run(organisation, name, before)
              : update.run(value, organisation, name, before)
        if (Number(rows) > 0) changes.increment(settingTopic(name, organisation))
        return Number(rows) > 0
      }),
  }
}
