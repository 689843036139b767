import { hash, timingSafeEqual } from 'node:crypto'
import type { Clock } from '../../domain/clock.ts'
import { type KeyRecord, keyPattern } from '../../domain/key.ts'
import type { Store } from '../../store/port.ts'

/**
 * Every key in memory, so that a request costs one hash and no query.
 * Who holds the timer calls load() when the topic 'keys' moves and flushUses() now and then.
 */
export class KeyRing {
  readonly #store: Pick<Store, 'keys'>
  readonly #now: Clock
  #keys: ReadonlyMap<string, { record: KeyRecord; hash: Buffer }> = new Map()
  #uses = new Map<string, number>()
  #loads = 0
  #shown = 0

  constructor(store: Pick<Store, 'keys'>, now: Clock) {
    this.#store = store
    this.#now = now
  }

  get size(): number {
    return this.#keys.size
  }

  async load(): Promise<void> {
    const load = ++this.#loads
    const keys = new Map<string, { record: KeyRecord; hash: Buffer }>()
    for (const record of await this.#store.keys.all()) {
      keys.set(record.id, { record, hash: Buffer.from(record.secretHash, 'hex') })
    }
    // A slower, older reading must not undo a newer one.
    if (load < this.#shown) return
    this.#shown = load
    this.#keys = keys
  }

  /** The key's record if it is good now. Every other case costs the same and answers the same. */
  authenticate(presented: string | undefined): KeyRecord | undefined {
    const match = presented === undefined || presented.length > 128 ? null : keyPattern.exec(presented)
    const known = match === null ? undefined : this.#keys.get(match[1]!)
    const digest = hash('sha256', match?.[2] ?? '', 'buffer')
    const same = timingSafeEqual(digest, known?.hash ?? noHash)
    if (known === undefined || !same) return undefined
    const { record } = known
    const now = this.#now()
    if (record.revokedAt !== null || (record.expiresAt !== null && record.expiresAt <= now)) return undefined
    this.#uses.set(record.id, now)
    return record
  }

  /** Writes the last uses since the last flush; on failure they are kept for the next. */
  async flushUses(): Promise<void> {
    if (this.#uses.size === 0) return
    const uses = this.#uses
    this.#uses = new Map()
    try {
      await this.#store.keys.touch(uses)
    } catch (error) {
      this.#uses = new Map([...uses, ...this.#uses])
      throw error
    }
  }
}

const noHash = Buffer.alloc(32)
