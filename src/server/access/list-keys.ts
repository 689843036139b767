import type { KeyRecord } from '../../domain/key.ts'
import type { KeyDeps } from './issue-key.ts'
import type { KeyDescription } from './schema.ts'

export async function listKeys(deps: Pick<KeyDeps, 'store'>, organisation?: string): Promise<KeyRecord[]> {
  const keys = await deps.store.keys.all()
  return keys
    .filter((key) => organisation === undefined || key.organisation === organisation)
    .sort((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? -1 : 1))
}

type KeyState = 'active' | 'expired' | 'revoked' | 'rotating'

/** A rotating key is still valid, but it was replaced and ends at its expiry. */
export function keyStateOf(key: KeyRecord, now: number): KeyState {
  if (key.revokedAt !== null) return 'revoked'
  if (key.expiresAt !== null && key.expiresAt <= now) return 'expired'
  return key.replacedBy === null ? 'active' : 'rotating'
}

export function viewKey(key: KeyRecord, now: number): KeyDescription {
  return {
    id: key.id,
    organisation: key.organisation,
    name: key.name,
    scopes: [...key.scopes],
    state: keyStateOf(key, now),
    created_at: new Date(key.createdAt).toISOString(),
    expires_at: timeText(key.expiresAt),
    revoked_at: timeText(key.revokedAt),
    last_used_at: timeText(key.lastUsedAt),
    replaced_by: key.replacedBy,
  }
}

function timeText(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString()
}
