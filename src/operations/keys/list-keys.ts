import type { KeyRecord } from '../../domain/key.ts'
import type { KeyDeps } from './deps.ts'

/** Newest first; of one organisation if asked. */
export async function listKeys(deps: Pick<KeyDeps, 'store'>, organisation?: string): Promise<KeyRecord[]> {
  const keys = await deps.store.keys.all()
  return keys
    .filter((key) => organisation === undefined || key.organisation === organisation)
    .sort((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? -1 : 1))
}

export type KeyState = 'active' | 'expired' | 'revoked' | 'rotating'

/** rotating: still good, but replaced, and it ends at its expiry. */
export function keyStateOf(key: KeyRecord, now: number): KeyState {
  if (key.revokedAt !== null) return 'revoked'
  if (key.expiresAt !== null && key.expiresAt <= now) return 'expired'
  return key.replacedBy === null ? 'active' : 'rotating'
}
