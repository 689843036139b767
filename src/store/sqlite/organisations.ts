import type { DatabaseSync } from 'node:sqlite'
import { checkOrganisation } from '../storable.ts'
import { nowSql } from './database.ts'

/** Inside a transaction: an organisation exists from its first key or entry on. */
export function prepareEnsureOrganisation(db: DatabaseSync): (organisation: string) => void {
  const insert = db.prepare(
    `INSERT INTO organisations (id, created_at) VALUES (?, ${nowSql}) ON CONFLICT (id) DO NOTHING`,
  )
  return (organisation) => {
    checkOrganisation(organisation)
    insert.run(organisation)
  }
}
