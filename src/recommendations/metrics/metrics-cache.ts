import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { joinPieces } from '../../domain/text.ts'
import type { Clock } from '../../domain/time.ts'
import { Cache } from '../../runtime/cache.ts'
import type { MetricsQuery } from './export-metrics.ts'
import type { Exposition } from './families.ts'

interface CachedText {
  readonly pieces: readonly Uint8Array[]
  readonly bytes: number
}

/** A text that its callers wait for, because there is none that can be served. */
interface FirstText {
  readonly organisation: string
  readonly stop: AbortController
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
  readonly #onFailure: (error: unknown) => void
  readonly #texts: Cache<CachedText>
  readonly #first = new Map<string, FirstText>()

  constructor(make: MakeMetrics, clockMs: Clock, onFailure: (error: unknown) => void, maxSize = 32 << 20) {
    this.#make = make
    this.#onFailure = onFailure
    this.#texts = new Cache({ maxCount: 10_000, maxSize, clockMs, sizeOf: ({ bytes }) => bytes + entryBytes })
  }

  /** Returns the text in pieces. The signal fires when the caller no longer waits. */
  async text(
    organisation: string,
    query: MetricsQuery,
    signal?: AbortSignal,
  ): Promise<AsyncGenerator<string>> {
    const { days, cluster = null, limit } = query
    const key = JSON.stringify([organisation, days, cluster, limit])
    const fresh = this.#texts.get(key, freshMs)
    if (fresh !== undefined) return unpacked(fresh)
    const stale = this.#texts.get(key, staleMs)
    const making = this.#texts.load(key, () => this.#made(key, organisation, query, stale === undefined))
    making.catch(() => {})
    return unpacked(stale ?? (await this.#awaited(making, this.#first.get(key), signal)))
  }

  async #awaited(making: Promise<CachedText>, first: FirstText | undefined, signal: AbortSignal | undefined) {
    if (first === undefined) return making
    const gone = Promise.withResolvers<never>()
    const leave = () => gone.reject(signal!.reason)
    signal?.addEventListener('abort', leave, { once: true })
    first.waiting++
    try {
      return await Promise.race([making, gone.promise])
    } finally {
      signal?.removeEventListener('abort', leave)
      first.waiting--
      this.#stopUnawaited(first.organisation)
    }
  }

  /** Ends first texts that nobody waits for, the oldest first, except a few. */
  #stopUnawaited(organisation: string): void {
    const unawaited = [...this.#first.values()].filter(
      (first) => first.organisation === organisation && first.waiting === 0,
    )
    for (const { stop } of unawaited.slice(0, -maxUnawaited)) stop.abort(new Error('nobody waits for it'))
  }

  idle(): Promise<void> {
    return this.#texts.idle()
  }

  async #made(key: string, organisation: string, query: MetricsQuery, isFirst: boolean): Promise<CachedText> {
    const stop = new AbortController()
    if (isFirst) this.#first.set(key, { organisation, stop, waiting: 0 })
    try {
      const made = await this.#make(organisation, query, stop.signal)
      const pieces: Uint8Array[] = []
      for (const piece of joinPieces(made.pieces(), pieceChars)) pieces.push(zstdCompressSync(piece))
      return { pieces, bytes: pieces.reduce((sum, { length }) => sum + length, 0) }
    } catch (error) {
      if (!stop.signal.aborted) this.#onFailure(error)
      throw error
    } finally {
      this.#first.delete(key)
    }
  }
}

async function* unpacked({ pieces }: CachedText): AsyncGenerator<string> {
  for (const piece of pieces) yield zstdDecompressSync(piece).toString()
}

const maxUnawaited = 2
const freshMs = 5 * 60_000
/** A text older than this is not served. */
const staleMs = 60 * 60_000
const pieceChars = 64 * 1024
const entryBytes = 1024
