import type { PoolClient } from 'pg'
import { checkOrganisation } from '../storable.ts'
import { nowSql } from './database.ts'

/** Creates the organisation inside a transaction, with its first key or entry. */
export async function ensureOrganisation(client: PoolClient, organisation: string): Promise<void> {
  checkOrganisation(organisation)
  await client.query(
    `INSERT INTO organisations (id, created_at) VALUES ($1, ${nowSql}) ON CONFLICT (id) DO NOTHING`,
    [organisation],
  )
}
