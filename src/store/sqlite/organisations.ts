import type { DatabaseSync } from 'node:sqlite'
import { checkOrganisation } from '../storable.ts'
import { nowSql } from './database.ts'

/** Inside a transaction: an organisation exists from its first key or entry on. */
export function organisationEnsurer(db: DatabaseSync): (organisation: string) => void {
  const ensure = db.prepare(
    `INSERT INTO organisations (id, created_at) VALUES (?, ${nowSql}) ON CONFLICT (id) DO NOTHING`,
  )
  return (organisation) => {
    checkOrganisation(organisation)
    ensure.run(organisation)
  }
}
