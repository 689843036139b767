interface CacheOptions<Value> {
  readonly maxCount: number
  /** Limit on the total size of all values. */
  readonly maxSize?: number
  sizeOf?(value: Value): number
  clockMs?(): number
}

/**
 * Values by key, the least recently used dropped first. The value that was used last stays, however large it is. Loads of
 * one key never overlap, so that an older value never replaces a newer one.
 */
export class Cache<Value> {
  readonly #options: Required<CacheOptions<Value>>
  /** The most recently used entry comes last. */
  readonly #entries = new Map<string, CacheEntry<Value>>()
  /** Its entry is already at the end of the map and need not be moved there. */
  #latest: string | undefined
  #size = 0

  constructor(options: CacheOptions<Value>) {
    this.#options = { maxSize: Number.POSITIVE_INFINITY, sizeOf: () => 0, clockMs: Date.now, ...options }
  }

  /** Returns the value of this key, unless making it began as long ago as this or longer. */
  get(key: string, maxAgeMs?: number | ((value: Value) => number)): Value | undefined {
    const kept = this.#touch(key)?.kept
    if (kept === undefined || maxAgeMs === undefined) return kept?.value
    const ageMs = this.#options.clockMs() - kept.madeAt
    return ageMs < (typeof maxAgeMs === 'number' ? maxAgeMs : maxAgeMs(kept.value)) ? kept.value : undefined
  }

  has(key: string): boolean {
    return this.#entries.has(key)
  }

  /** Joins the load of this key that is running, or begins one. The value before stays until the new one is loaded. */
  load(key: string, make: Make<Value>): Promise<Value> {
    const entry = this.#touch(key) ?? this.#open(key)
    return entry.running ?? this.#begin(key, entry, make)
  }

  /** Begins a load now, or after the one that is running; callers during that one share the load after it. */
  reload(key: string, make: Make<Value>): Promise<Value> {
    const entry = this.#touch(key) ?? this.#open(key)
    if (entry.running === undefined) return this.#begin(key, entry, make)
    entry.next ??= entry.running
      .catch(() => {})
      .then(() => {
        entry.next = undefined
        return this.#begin(key, entry, make)
      })
    return entry.next
  }

  set(key: string, value: Value, madeAt = this.#options.clockMs()): void {
    this.#keep(key, this.#touch(key) ?? this.#open(key), { value, madeAt })
  }

  delete(key: string): void {
    this.#size -= this.#sizeOf(this.#entries.get(key))
    this.#entries.delete(key)
    if (this.#latest === key) this.#latest = undefined
  }

  /** Resolves when no load is running. */
  async idle(): Promise<void> {
    await Promise.allSettled([...this.#entries.values()].map(({ running }) => running))
  }

  #touch(key: string): CacheEntry<Value> | undefined {
    const entry = this.#entries.get(key)
    if (entry === undefined || key === this.#latest) return entry
    this.#entries.delete(key)
    this.#entries.set(key, entry)
    this.#latest = key
    return entry
  }

  #open(key: string): CacheEntry<Value> {
    const entry: CacheEntry<Value> = { kept: undefined, running: undefined, next: undefined }
    this.#entries.set(key, entry)
    this.#latest = key
    return entry
  }

  #begin(key: string, entry: CacheEntry<Value>, make: Make<Value>): Promise<Value> {
    const madeAt = this.#options.clockMs()
    const running = make(entry.kept?.value).then(
      (value) => {
        entry.running = undefined
        if (this.#entries.get(key) === entry) this.#keep(key, entry, { value, madeAt })
        return value
      },
      (error: unknown) => {
        entry.running = undefined
        const isEmpty = entry.kept === undefined && entry.next === undefined
        if (isEmpty && this.#entries.get(key) === entry) this.delete(key)
        throw error
      },
    )
    entry.running = running
    return running
  }

  #keep(key: string, entry: CacheEntry<Value>, kept: Kept<Value>): void {
    this.#size -= this.#sizeOf(entry)
    entry.kept = kept
    this.#size += this.#sizeOf(entry)
    const { maxCount, maxSize } = this.#options
    for (const [oldest, { running }] of this.#entries) {
      if (this.#size <= maxSize && this.#entries.size <= maxCount) return
      if (oldest !== key && running === undefined) this.delete(oldest)
    }
  }

  #sizeOf(entry: CacheEntry<Value> | undefined): number {
    return entry?.kept === undefined ? 0 : this.#options.sizeOf(entry.kept.value)
  }
}

/** Makes a value; `before` is the one that it will replace. */
type Make<Value> = (before: Value | undefined) => Promise<Value>

interface Kept<Value> {
  readonly value: Value
  readonly madeAt: number
}

interface CacheEntry<Value> {
  kept: Kept<Value> | undefined
  running: Promise<Value> | undefined
  /** A load that has not started. */
  next: Promise<Value> | undefined
}

/** Computes a value once for each object, and keeps it as long as the object. */
export function oncePer<Key extends WeakKey, Value>(compute: (key: Key) => Value): (key: Key) => Value {
  const values = new WeakMap<Key, Value>()
  return (key) => values.getOrInsertComputed(key, compute)
}
