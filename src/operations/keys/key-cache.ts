import { hash, timingSafeEqual } from 'node:crypto'
import { type KeyRecord, keyPattern } from '../../domain/key.ts'
import type { Clock } from '../../domain/time.ts'
import type { Store } from '../../store/port.ts'

/**
 * Every key in memory, so that a request costs no query, and one hash the first time a key is shown.
 * Who holds the timer calls load() when the topic 'keys' moves and flushUses() now and then.
 */
export class KeyCache {
  readonly #store: Pick<Store, 'keys'>
  readonly #now: Clock
  #keys: ReadonlyMap<string, Held> = new Map()
  /**
   * Keys whose secret was seen to be right, by their whole text: a hash costs more than the rest of a small request.
   * A wrong key is distinguished from a right one by a seeded hash of all of it, which does not reveal where they differ.
   */
  #proved = new Map<string, KeyRecord>()
  #uses = new Map<string, number>()
  /** What this node wrote itself, with the number of the last reading that may have begun before. */
  readonly #written = new Map<string, { readonly held: Held; readonly load: number }>()
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
    const keys = new Map<string, Held>()
    for (const record of await this.#store.keys.all()) {
      keys.set(record.id, heldOf(record))
    }
    // A slower, older reading must not undo a newer one.
    if (load < this.#shown) return
    this.#shown = load
    for (const [id, written] of this.#written)
      if (load > written.load) this.#written.delete(id)
      else if (keys.get(id)?.record.revokedAt == null) keys.set(id, written.held)
    this.#keys = keys
    this.#proved = new Map()
  }

  /** Keys that were just written; they count at once, and in place of what an earlier reading still brings. */
  put(records: readonly KeyRecord[]): void {
    const keys = new Map(this.#keys)
    for (const record of records) {
      const held = heldOf(record)
      keys.set(record.id, held)
      this.#written.set(record.id, { held, load: this.#loads })
    }
    this.#keys = keys
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
