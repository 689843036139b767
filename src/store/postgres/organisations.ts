import type { PoolClient } from 'pg'
import { checkOrganisation } from '../storable.ts'
import { nowSql } from './database.ts'

/** Inside a transaction: an organisation exists from its first key or entry on. */
export async function ensureOrganisation(client: PoolClient, organisation: string): Promise<void> {
  checkOrganisation(organisation)
  await client.query(
    `INSERT INTO organisations (id, created_at) VALUES ($1, ${nowSql}) ON CONFLICT (id) DO NOTHING`,
    [organisation],
  )
}
