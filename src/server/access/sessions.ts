import { randomBytes } from 'node:crypto'
import { type KeyRecord, type SessionRecord, sessionTokenPattern } from '../../domain/key.ts'
import type { Clock } from '../../domain/time.ts'
import type { Store } from '../../store/port.ts'
import { type SessionCache, tokenHashOf } from './session-cache.ts'

export interface SessionDeps {
  readonly store: Pick<Store, 'sessions'>
  readonly cache: SessionCache
  readonly now: Clock
  /** Maximum duration of a session. */
  readonly lengthMs: number
}

interface BegunSession {
  readonly token: string
  readonly expiresAt: number
}

const maxPerKey = 50

/** Exchanges a key for a session, which ends after its duration or together with the key. */
export async function beginSession(deps: SessionDeps, key: KeyRecord): Promise<BegunSession> {
  const token = randomBytes(32).toString('base64url')
  const createdAt = deps.now()
  const expiresAt = Math.min(createdAt + deps.lengthMs, key.expiresAt ?? Number.POSITIVE_INFINITY)
  const session: SessionRecord = { tokenHash: tokenHashOf(token), keyId: key.id, createdAt, expiresAt }
  await deps.store.sessions.insert(session, maxPerKey)
  deps.cache.put(session.tokenHash, session)
  return { token, expiresAt }
}

/** Takes effect at once on this node and within five seconds on every other. */
export async function endSession(deps: SessionDeps, token: string): Promise<void> {
  if (!sessionTokenPattern.test(token)) return
  const tokenHash = tokenHashOf(token)
  await deps.store.sessions.remove(tokenHash)
  deps.cache.put(tokenHash, undefined)
}
