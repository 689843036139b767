import type { HeapMeaning } from '../../domain/usage-series.ts'
import type { Digest } from './digest.ts'
import { kibOf } from './memory-marks.ts'

/** Series of pools arrive in any order: marks are kept until the hour is closed, and their sums are written then. */
export class HeapPools {
  /** By name of the pool; '' is the whole heap, for exporters that report no pools. */
  readonly #used = new Map<string, UsedMarks>()
  readonly #limits = new Map<string, number>()
  readonly #nonHeap = new Map<string, number>()
  #liveData = 0

  record(digest: Digest, { part, area, pool }: HeapMeaning, atMs: number, bytes: number): void {
    if (area === 'nonheap') {
      if (part !== 'used' || !accepts(this.#nonHeap, pool)) return
      this.#nonHeap.set(pool, Math.max(bytes, this.#nonHeap.get(pool) ?? 0))
      digest.nonHeapHighKib = kibOf(sumOf(this.#nonHeap))
    } else if (part === 'limit') {
      if (!accepts(this.#limits, pool)) return
      this.#limits.set(pool, bytes)
      digest.heapLimitKib = kibOf(sumOf(this.#limits))
    } else {
      if (part === 'live') this.#liveData = bytes
      // Collections empty the pools of young objects, so these contain nothing that stays in use.
      else if (!young.test(pool) && accepts(this.#used, pool)) this.#recordUsed(part, pool, atMs, bytes)
      const low = this.#low()
      if (low !== undefined) digest.heapLowKib = kibOf(low)
    }
  }

  #recordUsed(part: 'used' | 'collected', pool: string, atMs: number, bytes: number): void {
    let marks = this.#used.get(pool)
    if (marks === undefined) {
      marks = { fromMs: Number.POSITIVE_INFINITY, toMs: 0, low: Number.POSITIVE_INFINITY, collected: 0 }
      this.#used.set(pool, marks)
    }
    if (part === 'collected') {
      marks.collected = Math.max(marks.collected, bytes)
      return
    }
    marks.fromMs = Math.min(marks.fromMs, atMs)
    marks.toMs = Math.max(marks.toMs, atMs)
    marks.low = Math.min(marks.low, bytes)
  }

  /** Heap use after collections; undefined until the pools were seen for long enough to have been collected. */
  #low(): number | undefined {
    const pools = [...this.#used].filter(([pool]) => pool !== '' || this.#used.size === 1)
    const lows = pools.map(([, marks]) => lowOf(marks))
    const sum = lows.some((low) => low === undefined)
      ? undefined
      : lows.reduce<number>((total, low) => total + low!, 0)
    if (this.#liveData === 0) return lows.length === 0 ? undefined : sum
    return Math.min(this.#liveData, lows.length === 0 ? Infinity : (sum ?? Infinity))
  }
}

interface UsedMarks {
  fromMs: number
  toMs: number
  low: number
  /** Greatest use after a collection; 0 before the first. */
  collected: number
}

function lowOf({ fromMs, toMs, low, collected }: UsedMarks): number | undefined {
  if (collected > 0) return Math.min(low, collected)
  return toMs - fromMs >= minMs ? low : undefined
}

/** A Java virtual machine has about eight pools. Names beyond this number are ignored. */
const maxPools = 16
const accepts = (pools: ReadonlyMap<string, unknown>, pool: string): boolean =>
  pools.has(pool) || pools.size < maxPools

/** The size of the whole if it is reported, otherwise the sum of its pools. */
const sumOf = (pools: ReadonlyMap<string, number>): number =>
  pools.get('') ?? [...pools.values()].reduce((sum, bytes) => sum + bytes, 0)

const young = /eden|nursery|young/i
const minMs = 30 * 60_000
