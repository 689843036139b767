import { hash, timingSafeEqual } from 'node:crypto'
import { type KeyRecord, keyPattern } from '../../domain/key.ts'
import type { Clock } from '../../domain/time.ts'
import type { Store } from '../../store/port.ts'
import { RecordCache } from './record-cache.ts'

/**
 * Every key in memory, so that a request needs no query, and a hash only the first time a key is presented.
 * The owner of this cache calls load() when the version of the topic 'keys' changes, and flushUses() regularly.
 */
export class KeyCache {
  readonly #store: Pick<Store, 'keys'>
  readonly #now: Clock
  /** A revoked key stays revoked, so its record is final. */
  readonly #keys = new RecordCache<CachedKey>(({ record }) => record.revokedAt !== null)
  /**
   * Keys whose secret was verified, by their whole text, because a hash takes longer than the rest of a small request. A
   * lookup uses a seeded hash of the whole text, so its duration does not reveal where a wrong key differs from a right
   * one.
   */
  #verified = new Map<string, KeyRecord>()
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
      async () => new Map((await this.#store.keys.all()).map((record) => [record.id, cachedKeyOf(record)])),
    )
    this.#verified = new Map()
  }

  put(records: readonly KeyRecord[]): void {
    this.#keys.put(records.map((record) => [record.id, cachedKeyOf(record)]))
    this.#verified = new Map()
  }

  /** Returns the record of a key that is valid now. All other cases are indistinguishable. */
  authenticate(presented: string | undefined): KeyRecord | undefined {
    return this.#ifValid(this.#verified.get(presented ?? '') ?? this.#verify(presented))
  }

  /** Returns the record of the key with this id if it is valid now. The caller must have verified the secret before. */
  keyOf(id: string): KeyRecord | undefined {
    return this.#ifValid(this.#keys.get(id)?.record)
  }

  /** Returns the time at which a key expired if its secret is right; undefined for every other text. */
  expiredAt(presented: string | undefined): number | undefined {
    const record = this.#verify(presented)
    const isExpired =
      record?.revokedAt === null && record.expiresAt !== null && record.expiresAt <= this.#now()
    return isExpired ? record.expiresAt! : undefined
  }

  #ifValid(record: KeyRecord | undefined): KeyRecord | undefined {
    if (record === undefined) return undefined
    const now = this.#now()
    if (record.revokedAt !== null || (record.expiresAt !== null && record.expiresAt <= now)) return undefined
    this.#uses.set(record.id, now)
    return record
  }

  /** Recording a last use changes no topic, so nodes do not reload it. This node updates its own records. */
  #noteUses(uses: ReadonlyMap<string, number>): void {
    for (const [id, at] of uses) {
      const cached = this.#keys.get(id)
      if (cached !== undefined) cached.record = { ...cached.record, lastUsedAt: at }
    }
    this.#verified = new Map()
  }

  #verify(presented: string | undefined): KeyRecord | undefined {
    const match = presented === undefined || presented.length > 128 ? null : keyPattern.exec(presented)
    const cached = match === null ? unknownKey : (this.#keys.get(match[1]!) ?? unknownKey)
    const secret = hash('sha256', match?.[2] ?? '', 'buffer')
    if (!timingSafeEqual(secret, cached.hash) || cached === unknownKey) return undefined
    this.#verified.set(presented!, cached.record)
    return cached.record
  }

  /** Writes the last uses since the previous flush. If that fails, they are kept for the next one. */
  async flushUses(): Promise<void> {
    if (this.#uses.size === 0) return
    const uses = this.#uses
    this.#uses = new Map()
    try {
      await this.#store.keys.touch(uses)
      this.#noteUses(uses)
    } catch (error) {
      this.#uses = new Map([...uses, ...this.#uses])
      throw error
    }
  }
}

interface CachedKey {
  record: KeyRecord
  readonly hash: Buffer
}

const cachedKeyOf = (record: KeyRecord): CachedKey => ({
  record,
  hash: Buffer.from(record.secretHash, 'hex'),
})

/** Compared with every unknown key, so that the check takes as long as for a wrong secret. */
const unknownKey: CachedKey = { record: {} as KeyRecord, hash: Buffer.alloc(32) }
