import { hash, randomBytes } from 'node:crypto'
import { type KeyRecord, type SessionRecord, sessionTokenPattern } from '../../domain/key.ts'
import type { Clock } from '../../domain/time.ts'
import type { Store } from '../../store/port.ts'
import type { KeyCache } from '../keys/key-cache.ts'
import { RecordCache } from '../keys/record-cache.ts'

export interface SessionDeps {
  readonly store: Pick<Store, 'sessions'>
  readonly cache: SessionCache
  readonly now: Clock
  /** How long a session lasts at most. */
  readonly lengthMs: number
}

export interface BegunSession {
  readonly token: string
  readonly expiresAt: number
}

const mostPerKey = 50

/** Trades a key for a session, which ends after its length or with the key. */
export async function beginSession(deps: SessionDeps, key: KeyRecord): Promise<BegunSession> {
  const token = randomBytes(32).toString('base64url')
  const createdAt = deps.now()
  const expiresAt = Math.min(createdAt + deps.lengthMs, key.expiresAt ?? Number.POSITIVE_INFINITY)
  const session: SessionRecord = { tokenHash: tokenHashOf(token), keyId: key.id, createdAt, expiresAt }
  await deps.store.sessions.insert(session, mostPerKey)
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

/** Every session in memory, so that a request costs no query. Who holds the timer calls load() when the topic 'sessions' moves. */
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

  /** A session that was just written, or removed where undefined; it counts at once. */
  put(tokenHash: string, session: SessionRecord | undefined): void {
    this.#sessions.put([[tokenHash, session]])
  }

  /** The key that was traded for the token, if both are good now. */
  authenticate(token: string): KeyRecord | undefined {
    if (!sessionTokenPattern.test(token)) return undefined
    const session = this.#sessions.get(tokenHashOf(token))
    return session === undefined || session.expiresAt <= this.#now()
      ? undefined
      : this.#keys.keyOf(session.keyId)
  }
}

export const tokenHashOf = (token: string): string => hash('sha256', token, 'hex')
