import { hash } from 'node:crypto'
import { type KeyRecord, type SessionRecord, sessionTokenPattern } from '../../domain/key.ts'
import type { Clock } from '../../domain/time.ts'
import type { Store } from '../../store/port.ts'
import type { KeyCache } from './key-cache.ts'
import { RecordCache } from './record-cache.ts'

/**
 * Every session in memory, so that a request needs no query. The owner calls load() when the version of the topic
 * 'sessions' changes.
 */
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
