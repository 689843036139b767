import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { joinPieces } from '../../domain/text.ts'
import type { Clock } from '../../domain/time.ts'
import type { MetricsQuery } from './export-metrics.ts'
import type { Exposition } from './families.ts'

interface CachedText {
  readonly pieces: readonly Uint8Array[]
  readonly bytes: number
  readonly madeAt: number
}

interface CacheEntry {
  readonly organisation: string
  text: CachedText | undefined
  making: Promise<CachedText> | undefined
  /** Ends the making. */
  stop: AbortController
  /** Number of callers that wait for the text. */
  waiting: number
}

type MakeMetrics = (organisation: string, query: MetricsQuery, signal: AbortSignal) => Promise<Exposition>

/**
 * Metrics are scraped every minute and change every hour. A text is used for some minutes. After that it is made again,
 * and meanwhile the old one is served, so that a scrape need not wait. A text is finished even if its caller has gone,
 * so that the next scrape can use it; a few for each organisation, so that queries which nobody repeats end.
 */
export class MetricsCache {
  readonly #make: MakeMetrics
  readonly #now: Clock
  readonly #onFailure: (error: unknown) => void
  /** In order of use, least recently used first. */
  readonly #entries = new Map<string, CacheEntry>()
  readonly #maxBytes: number

  constructor(make: MakeMetrics, now: Clock, onFailure: (error: unknown) => void, maxBytes = 32 << 20) {
    this.#make = make
    this.#now = now
    this.#onFailure = onFailure
    this.#maxBytes = maxBytes
  }

  /** Returns the text in pieces. The signal fires when the caller no longer waits. */
  async text(
    organisation: string,
    query: MetricsQuery,
    signal?: AbortSignal,
  ): Promise<AsyncGenerator<string>> {
    const { days, cluster = null, limit } = query
    const key = JSON.stringify([organisation, days, cluster, limit])
    const entry = this.#entries.get(key) ?? newEntry(organisation)
    this.#entries.delete(key)
    this.#entries.set(key, entry)
    const ageMs = entry.text === undefined ? Number.POSITIVE_INFINITY : this.#now() - entry.text.madeAt
    if (ageMs >= freshMs) this.#refresh(key, entry, query)
    return unpacked(ageMs < staleMs ? entry.text! : await this.#awaited(entry, signal))
  }

  async #awaited(entry: CacheEntry, signal: AbortSignal | undefined): Promise<CachedText> {
    const gone = Promise.withResolvers<never>()
    const leave = () => gone.reject(signal!.reason)
    signal?.addEventListener('abort', leave, { once: true })
    entry.waiting++
    try {
      return await Promise.race([entry.making!, gone.promise])
    } finally {
      signal?.removeEventListener('abort', leave)
      entry.waiting--
      this.#stopUnawaited(entry.organisation)
    }
  }

  /** Ends first texts that nobody waits for, the oldest first, except a few. */
  #stopUnawaited(organisation: string): void {
    const unawaited = [...this.#entries.values()].filter(
      (entry) =>
        entry.organisation === organisation &&
        entry.making !== undefined &&
        entry.waiting === 0 &&
        entry.text === undefined,
    )
    for (const { stop } of unawaited.slice(0, -maxUnawaited)) stop.abort(new Error('nobody waits for it'))
  }

  /** Resolves when no text is being made. */
  async idle(): Promise<void> {
    await Promise.allSettled([...this.#entries.values()].map(({ making }) => making))
  }

  #refresh(key: string, entry: CacheEntry, query: MetricsQuery): void {
    if (entry.making !== undefined) return
    const stop = new AbortController()
    entry.stop = stop
    entry.making = this.#made(entry.organisation, query, stop.signal)
      .then((text) => {
        entry.text = text
        this.#evict()
        return text
      })
      .finally(() => {
        entry.making = undefined
        if (entry.text === undefined) this.#entries.delete(key)
      })
    entry.making.catch((error) => {
      if (!stop.signal.aborted) this.#onFailure(error)
    })
  }

  async #made(organisation: string, query: MetricsQuery, signal: AbortSignal): Promise<CachedText> {
    const madeAt = this.#now()
    const pieces: Uint8Array[] = []
    const made = await this.#make(organisation, query, signal)
    for (const piece of joinPieces(made.pieces(), pieceChars)) pieces.push(zstdCompressSync(piece))
    return { pieces, bytes: pieces.reduce((sum, { length }) => sum + length, 0), madeAt }
  }

  /** Removes the least recently used texts until the rest fits. Entries whose text is being made stay. */
  #evict(): void {
    let bytes = 0
    for (const [key, { text, making }] of [...this.#entries].reverse()) {
      bytes += (text?.bytes ?? 0) + entryBytes
      if (bytes > this.#maxBytes && making === undefined) this.#entries.delete(key)
    }
  }
}

async function* unpacked({ pieces }: CachedText): AsyncGenerator<string> {
  for (const piece of pieces) yield zstdDecompressSync(piece).toString()
}

const newEntry = (organisation: string): CacheEntry => ({
  organisation,
  text: undefined,
  making: undefined,
  stop: new AbortController(),
  waiting: 0,
})

const maxUnawaited = 2
const freshMs = 5 * 60_000
/** A text older than this is not served. */
const staleMs = 60 * 60_000
const pieceChars = 64 * 1024
const entryBytes = 1024
