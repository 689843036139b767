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
  text: CachedText | undefined
  making: Promise<CachedText> | undefined
}

type MakeMetrics = (organisation: string, query: MetricsQuery) => Promise<Exposition>

/**
 * Metrics are scraped every minute and change every hour. A text is used for some minutes. After that it is made again,
 * and meanwhile the old one is served, so that a scrape need not wait. A text is finished even if its caller has gone,
 * so that the next scrape can use it.
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

  /** Returns the text in pieces. */
  async text(organisation: string, query: MetricsQuery): Promise<AsyncGenerator<string>> {
    const { days, cluster = null, limit } = query
    const key = JSON.stringify([organisation, days, cluster, limit])
    const entry = this.#entries.get(key) ?? { text: undefined, making: undefined }
    this.#entries.delete(key)
    this.#entries.set(key, entry)
    const ageMs = entry.text === undefined ? Number.POSITIVE_INFINITY : this.#now() - entry.text.madeAt
    if (ageMs >= freshMs) this.#refresh(entry, organisation, query)
    return unpacked(ageMs < staleMs ? entry.text! : await entry.making!)
  }

  /** Resolves when no text is being made. */
  async idle(): Promise<void> {
    await Promise.allSettled([...this.#entries.values()].map(({ making }) => making))
  }

  #refresh(entry: CacheEntry, organisation: string, query: MetricsQuery): void {
    entry.making ??= this.#made(organisation, query)
      .then((text) => {
        entry.text = text
        this.#evict()
        return text
      })
      .finally(() => {
        entry.making = undefined
      })
    entry.making.catch(this.#onFailure)
  }

  async #made(organisation: string, query: MetricsQuery): Promise<CachedText> {
    const madeAt = this.#now()
    const pieces: Uint8Array[] = []
    const made = await this.#make(organisation, query)
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

const freshMs = 5 * 60_000
/** A text older than this is not served. */
const staleMs = 60 * 60_000
const pieceChars = 64 * 1024
const entryBytes = 1024
