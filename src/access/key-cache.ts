import { hash, timingSafeEqual } from 'node:crypto'
import { type KeyRecord, keyPattern } from '../domain/key.ts'
import type { Clock } from '../domain/time.ts'
import type { Store } from '../store/port.ts'
import { RecordCache } from './record-cache.ts'

/**
 * Every key in memory, so that a request costs no query, and one hash the first time a key is shown.
 * Who holds the timer calls load() when the topic 'keys' moves and flushUses() now and then.
 */
export class KeyCache {
  readonly #store: Pick<Store, 'keys'>
  readonly #now: Clock
  /** Once revoked, a key stays so. */
  readonly #keys = new RecordCache<Held>(({ record }) => record.revokedAt !== null)
  /**
   * Keys whose secret was seen to be right, by their whole text: a hash costs more than the rest of a small request.
   * A wrong key is distinguished from a right one by a seeded hash of all of it, which does not reveal where they differ.
   */
  #proved = new Map<string, KeyRecord>()
  #uses = new Map<string, number>()

  constructor(store: Pick<Store, 'keys'>, now: Clock) {
    this.#store = store
    this.#now = now
  }

  get size(): number {
    return this.#keys.size
  }

  async load(): Promise<void> {
    await this.#keys.load(
      async () => new Map((await this.#store.keys.all()).map((record) => [record.id, heldOf(record)])),
    )
    this.#proved = new Map()
  }

  /** Keys that were just written; they count at once. */
  put(records: readonly KeyRecord[]): void {
    this.#keys.put(records.map((record) => [record.id, heldOf(record)]))
    this.#proved = new Map()
  }

  /** The key's record if it is good now. Every other case answers the same. */
  authenticate(presented: string | undefined): KeyRecord | undefined {
    return this.#ifGood(this.#proved.get(presented ?? '') ?? this.#prove(presented))
  }

  /** The record of a key that was shown before, if it is good now. */
  keyOf(id: string): KeyRecord | undefined {
    return this.#ifGood(this.#keys.get(id)?.record)
  }

  /** When a key expired, for who holds it; undefined for every other text. */
  expiredAt(presented: string | undefined): number | undefined {
    const record = this.#prove(presented)
    const isExpired =
      record?.revokedAt === null && record.expiresAt !== null && record.expiresAt <= this.#now()
    return isExpired ? record.expiresAt! : undefined
  }

  #ifGood(record: KeyRecord | undefined): KeyRecord | undefined {
    if (record === undefined) return undefined
    const now = this.#now()
    if (record.revokedAt !== null || (record.expiresAt !== null && record.expiresAt <= now)) return undefined
    this.#uses.set(record.id, now)
    return record
  }

  /** Recording a last use changes no topic, so other nodes do not reload it; this node shows what it knows. */
  #note(uses: ReadonlyMap<string, number>): void {
    for (const [id, at] of uses) {
      const held = this.#keys.get(id)
      if (held !== undefined) held.record = { ...held.record, lastUsedAt: at }
    }
    this.#proved = new Map()
  }

  #prove(presented: string | undefined): KeyRecord | undefined {
    const match = presented === undefined || presented.length > 128 ? null : keyPattern.exec(presented)
    const held = match === null ? nobody : (this.#keys.get(match[1]!) ?? nobody)
    const secret = hash('sha256', match?.[2] ?? '', 'buffer')
    if (!timingSafeEqual(secret, held.hash) || held === nobody) return undefined
    this.#proved.set(presented!, held.record)
    return held.record
  }

  /** Writes the last uses since the last flush; on failure they are kept for the next. */
  async flushUses(): Promise<void> {
    if (this.#uses.size === 0) return
    const uses = this.#uses
    this.#uses = new Map()
    try {
      await this.#store.keys.touch(uses)
      this.#note(uses)
    } catch (error) {
      this.#uses = new Map([...uses, ...this.#uses])
      throw error
    }
  }
}

interface Held {
  record: KeyRecord
  readonly hash: Buffer
}

const heldOf = (record: KeyRecord): Held => ({ record, hash: Buffer.from(record.secretHash, 'hex') })

/** Used for every unknown key, so that it takes as long as a wrong secret. */
const nobody: Held = { record: {} as KeyRecord, hash: Buffer.alloc(32) }
