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
 * Metrics are asked for every minute and change every hour. A text is used for some minutes; after that it is made again, and
 * while that takes, the last one is answered, so that a scrape need not wait. What was begun is finished though its caller
 * has gone: the next one finds it.
 */
export class MetricsCache {
  readonly #make: MakeMetrics
  readonly #now: Clock
  readonly #onFailure: (error: unknown) => void
  /** In order of use. */
  readonly #entries = new Map<string, CacheEntry>()
  readonly #mostBytes: number

  constructor(make: MakeMetrics, now: Clock, onFailure: (error: unknown) => void, mostBytes = 32 << 20) {
    this.#make = make
    this.#now = now
    this.#onFailure = onFailure
    this.#mostBytes = mostBytes
  }

  /** The text in pieces. */
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

  /** Resolves when nothing is being made. */
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

  /** Those that were asked for longest ago, until the rest fits; entries without a text do not count. */
  #evict(): void {
    let bytes = 0
    for (const [key, { text, making }] of [...this.#entries].reverse()) {
      bytes += (text?.bytes ?? 0) + entryBytes
      if (bytes > this.#mostBytes && making === undefined) this.#entries.delete(key)
    }
  }
}

async function* unpacked({ pieces }: CachedText): AsyncGenerator<string> {
  for (const piece of pieces) yield zstdDecompressSync(piece).toString()
}

const freshMs = 5 * 60_000
/** An older text is not answered. */
const staleMs = 60 * 60_000
const pieceChars = 64 * 1024
const entryBytes = 1024
