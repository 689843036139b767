import type { SessionRecord } from '../domain/session.ts'

/** A row of the table sessions, as both databases give it. */
export interface SessionRow {
  readonly token_hash: string
  readonly key_id: string
  readonly created_at: number
  readonly expires_at: number
}

export const sessionColumns = 'token_hash, key_id, created_at, expires_at'

export function sessionFromRow(row: SessionRow): SessionRecord {
  return {
    tokenHash: row.token_hash,
    keyId: row.key_id,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  }
}

/** In the order of sessionColumns. */
export function sessionValues(session: SessionRecord): (string | number)[] {
  return [session.tokenHash, session.keyId, session.createdAt, session.expiresAt]
}
