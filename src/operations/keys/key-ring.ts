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
  #keys: ReadonlyMap<string, Held> = new Map()
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
    const keys = new Map<string, Held>()
    for (const record of await this.#store.keys.all()) {
      keys.set(record.id, { record, hash: Buffer.from(record.secretHash, 'hex'), proved: undefined })
    }
    // A slower, older reading must not undo a newer one.
    if (load < this.#shown) return
    this.#shown = load
    this.#keys = keys
  }

  /** The key's record if it is good now. Every other case answers the same. */
  authenticate(presented: string | undefined): KeyRecord | undefined {
    const match = presented === undefined || presented.length > 128 ? null : keyPattern.exec(presented)
    const held = match === null ? nobody : (this.#keys.get(match[1]!) ?? nobody)
    if (!proves(held, match?.[2] ?? '')) return undefined
    const { record } = held
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

interface Held {
  readonly record: KeyRecord
  readonly hash: Buffer
  /** The secret once its hash was seen to be right: a hash costs more than the rest of a small request. */
  proved: string | undefined
}

/** Stands for every unknown key, so that one costs what a wrong secret costs. */
const nobody: Held = { record: {} as KeyRecord, hash: Buffer.alloc(32), proved: undefined }

function proves(held: Held, secret: string): boolean {
  if (held.proved !== undefined && sameText(held.proved, secret)) return true
  const right = timingSafeEqual(hash('sha256', secret, 'buffer'), held.hash) && held !== nobody
  if (right) held.proved = secret
  return right
}

/** In constant time for texts of one length. */
function sameText(a: string, b: string): boolean {
  if (a.length !== b.length) return false
  let difference = 0
  for (let i = 0; i < a.length; i++) difference |= a.charCodeAt(i) ^ b.charCodeAt(i)
  return difference === 0
}
