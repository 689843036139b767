import type { DatabaseSync } from 'node:sqlite'
import { checkOrganisation } from '../storable.ts'
import { nowSql } from './database.ts'

/** The returned function creates the organisation inside a transaction, with its first key or entry. */
export function prepareEnsureOrganisation(db: DatabaseSync): (organisation: string) => void {
  const insert = db.prepare(
    `INSERT INTO organisations (id, created_at) VALUES (?, ${nowSql}) ON CONFLICT (id) DO NOTHING`,
  )
  return (organisation) => {
    checkOrganisation(organisation)
    insert.run(organisation)
  }
}
