import { dayMs, hourMs } from '../domain/time.ts'

interface LruEntry<Answer> {
  readonly answer: Answer
  /** Versions of the data that the answer was computed from. If any part differs, the answer is outdated. */
  readonly basis: readonly unknown[]
  readonly size: number
  readonly expiresAtMs: number
}

/**
 * A cache of recently computed answers with a limit on their total size and number. The least recently used are dropped
 * first.
 */
class LruCache<Answer> {
  readonly #most: { readonly size: number; readonly count: number }
  /** The most recently used answer comes last. */
  readonly #recent = new Map<string, LruEntry<Answer>>()
  #size = 0

  constructor(most: { readonly size: number; readonly count: number }) {
    this.#most = most
  }

  /** Returns undefined, and drops the answer, if it has expired or its basis has changed. */
  find(key: string, basis: readonly unknown[], atMs: number): Answer | undefined {
    const found = this.#recent.get(key)
    if (found === undefined) return undefined
    this.#drop(key)
    const isSame = basis.every((part, index) => part === found.basis[index])
    if (!isSame || atMs >= found.expiresAtMs) return undefined
    this.keep(key, found)
    return found.answer
  }

  keep(key: string, recent: LruEntry<Answer>): void {
    this.#drop(key)
    this.#recent.set(key, recent)
    this.#size += recent.size
    for (const oldest of this.#recent.keys()) {
      if (this.#size <= this.#most.size && this.#recent.size <= this.#most.count) return
      this.#drop(oldest)
    }
  }

  #drop(key: string): void {
    this.#size -= this.#recent.get(key)?.size ?? 0
    this.#recent.delete(key)
  }
}

interface AnswerCacheOptions {
  clockMs(): number
  /** Limit on the total size of all answers. A single answer larger than a quarter of it is not kept. */
  readonly maxSize: number
  readonly maxCount: number
  /** An answer about fewer items is computed again each time. */
  readonly minItems: number
  /**
   * How long an answer about a current period stays valid per item: about 500 times as long as computing it takes, so that
   * computing takes little of the time.
   */
  readonly ttlMsPerItem: number
}

/**
 * Identifies an answer. `basis` describes the data, except recent usage, that it was computed from; another text means that
 * it changed.
 */
export interface AnswerKey {
  readonly organisation: string
  /** Identifies the request within the organisation. */
  readonly name: string
  readonly basis: string
  /** How long ago the period that the answer is about ended. */
  readonly endedForMs?: number
}

/**
 * Returns how long an answer is kept at most, however much work it was: an hour, or a quarter of the time since its period
 * ended, because the longer ago that was, the less usage of it is still arriving.
 */
const maxTtlMs = ({ endedForMs = 0 }: Pick<AnswerKey, 'endedForMs'> = {}): number =>
  Math.min(dayMs, Math.max(hourMs, endedForMs / 4))

/** Returns how long an answer stays valid that would be valid for `currentTtlMs` if its period had not ended. */
const ttlMsOf = (key: Pick<AnswerKey, 'endedForMs'>, currentTtlMs: number): number =>
  maxTtlMs(key) * Math.min(1, currentTtlMs / hourMs)

/** A cache of answers that take long to compute. The more items an answer is about, the longer it is kept. */
export class AnswerCache<Answer> {
  readonly #options: AnswerCacheOptions
  readonly #recent: LruCache<Answer>

  constructor(options: AnswerCacheOptions) {
    this.#options = options
    this.#recent = new LruCache({ size: options.maxSize, count: options.maxCount })
  }

  find(key: AnswerKey): Answer | undefined {
    return this.#recent.find(textOf(key), [key.basis], this.#options.clockMs())
  }

  /** To be called before an answer is computed, because its validity begins now. */
  begin(key: AnswerKey) {
    const { clockMs, maxSize, minItems, ttlMsPerItem } = this.#options
    const startedMs = clockMs()
    const most = maxSize / 4
    return {
      /** Whether an answer of this size can be kept. */
      fits: (size: number): boolean => size <= most,
      /** Keeps the answer, unless it is about few items or too large. */
      finish: (answer: Answer, size: number, items: number): void => {
        if (size > most || items < minItems) return
        const expiresAtMs = startedMs + ttlMsOf(key, items * ttlMsPerItem)
        this.#recent.keep(textOf(key), { answer, basis: [key.basis], size, expiresAtMs })
      },
    }
  }
}

const textOf = ({ organisation, name }: AnswerKey): string => JSON.stringify([organisation, name])
