import { dayMs, hourMs } from '../domain/time.ts'

interface AnswerCacheOptions {
  clockMs(): number
  /** Limit on the total size of all answers. A single answer larger than a quarter of it is not kept. */
  readonly maxSize: number
  readonly maxCount: number
  /** An answer about fewer items is computed again each time. */
  readonly minItems: number
  /** About 500 times as long as computing it takes, so that computing takes little of the time. */
  readonly ttlMsPerItem: number
}

/** `basis` describes the data, except recent usage, that it was computed from; another text means that it changed. */
export interface AnswerKey {
  readonly organisation: string
  /** Identifies the request within the organisation. */
  readonly name: string
  readonly basis: string
  /** How long ago the period that the answer is about ended. */
  readonly endedForMs?: number
}

interface KeptAnswer<Answer> {
  readonly answer: Answer
  readonly basis: string
  readonly size: number
  readonly expiresAtMs: number
}

/**
 * A cache of answers that take long to compute. The more items an answer is about, the longer it is kept: an hour at most, or a
 * quarter of the time since its period ended, because the longer ago that was, the less usage of it is still arriving. The
 * least recently used are dropped first.
 */
export class AnswerCache<Answer> {
  readonly #options: AnswerCacheOptions
  /** The most recently used answer comes last. */
  readonly #recent = new Map<string, KeptAnswer<Answer>>()
  #size = 0

  constructor(options: AnswerCacheOptions) {
    this.#options = options
  }

  find(key: AnswerKey): Answer | undefined {
    const name = textOf(key)
    const found = this.#recent.get(name)
    if (found === undefined) return undefined
    this.#drop(name)
    if (found.basis !== key.basis || this.#options.clockMs() >= found.expiresAtMs) return undefined
    this.#keep(name, found)
    return found.answer
  }

  /** To be called before an answer is computed, because its validity begins now. */
  begin(key: AnswerKey) {
    const { clockMs, maxSize, minItems, ttlMsPerItem } = this.#options
    const startedMs = clockMs()
    const maxTtlMs = Math.min(dayMs, Math.max(hourMs, (key.endedForMs ?? 0) / 4))
    return {
      fits: (size: number): boolean => size <= maxSize / 4,
      /** Keeps the answer, unless it is about few items or too large. */
      finish: (answer: Answer, size: number, items: number): void => {
        if (size > maxSize / 4 || items < minItems) return
        const expiresAtMs = startedMs + maxTtlMs * Math.min(1, (items * ttlMsPerItem) / hourMs)
        this.#keep(textOf(key), { answer, basis: key.basis, size, expiresAtMs })
      },
    }
  }

  #keep(name: string, kept: KeptAnswer<Answer>): void {
    const { maxSize, maxCount } = this.#options
    this.#drop(name)
    this.#recent.set(name, kept)
    this.#size += kept.size
    for (const oldest of this.#recent.keys()) {
      if (this.#size <= maxSize && this.#recent.size <= maxCount) return
      this.#drop(oldest)
    }
  }

  #drop(name: string): void {
    this.#size -= this.#recent.get(name)?.size ?? 0
    this.#recent.delete(name)
  }
}

const textOf = ({ organisation, name }: AnswerKey): string => JSON.stringify([organisation, name])
