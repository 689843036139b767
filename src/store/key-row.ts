import type { KeyRecord, Scope } from '../domain/key.ts'

/** A row of the table api_keys, as both databases give it. */
export interface KeyRow {
  readonly id: string
  readonly organisation: string
  readonly name: string
  /** Separated by spaces. */
  readonly scopes: string
  readonly secret_hash: string
  readonly created_at: number
  readonly expires_at: number | null
  readonly revoked_at: number | null
  readonly last_used_at: number | null
  readonly replaced_by: string | null
}

export const keyColumns =
  'id, organisation, name, scopes, secret_hash, created_at, expires_at, revoked_at, last_used_at, replaced_by'

export function keyFromRow(row: KeyRow): KeyRecord {
  return {
    id: row.id,
    organisation: row.organisation,
    name: row.name,
    scopes: row.scopes === '' ? [] : (row.scopes.split(' ') as Scope[]),
    secretHash: row.secret_hash,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
    lastUsedAt: row.last_used_at,
    replacedBy: row.replaced_by,
  }
}

/** In the order of keyColumns. */
export function keyValues(key: KeyRecord): (string | number | null)[] {
  return [
    key.id,
    key.organisation,
    key.name,
    key.scopes.join(' '),
    key.secretHash,
    key.createdAt,
    key.expiresAt,
    key.revokedAt,
    key.lastUsedAt,
    key.replacedBy,
  ]
}
