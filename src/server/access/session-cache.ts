import { hash, randomBytes } from 'node:crypto'
import { type KeyRecord, type SessionRecord, sessionTokenPattern } from '../../domain/key.ts'
import type { Clock } from '../../domain/time.ts'
import type { Store } from '../../store/port.ts'
import type { KeyCache } from './key-cache.ts'
import { RecordCache } from './record-cache.ts'

/** Every session in memory, so that a request needs no query. Its owner calls load() when the topic 'sessions' changes. */
export class SessionCache {
  readonly #store: Pick<Store, 'sessions'>
  readonly #keys: Pick<KeyCache, 'keyOf'>
  readonly #now: Clock
  readonly #sessions = new RecordCache<SessionRecord>()

  constructor(store: Pick<Store, 'sessions'>, keys: Pick<KeyCache, 'keyOf'>, now: Clock) {
    this.#store = store
    this.#keys = keys
    this.#now = now
  }

  get size(): number {
    return this.#sessions.size
  }

  async load(): Promise<void> {
    await this.#sessions.load(
      async () => new Map((await this.#store.sessions.all()).map((each) => [each.tokenHash, each])),
    )
  }

  /** Takes over a session that was just written, or removed if undefined. It takes effect at once. */
  put(tokenHash: string, session: SessionRecord | undefined): void {
    this.#sessions.put([[tokenHash, session]])
  }

  /** Returns the key that the session with this token was opened with, if both are valid now. */
  authenticate(token: string): KeyRecord | undefined {
    if (!sessionTokenPattern.test(token)) return undefined
    const session = this.#sessions.get(tokenHashOf(token))
    return session === undefined || session.expiresAt <= this.#now()
      ? undefined
      : this.#keys.keyOf(session.keyId)
  }
}

export const tokenHashOf = (token: string): string => hash('sha256', token, 'hex')

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
