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
export class LruCache<Answer> {
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

interface AnswerCacheOptions<Answer> {
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
  /** Storage in which answers survive a restart and other nodes find them. */
  readonly archive?: AnswerArchive<Answer> | undefined
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
  /** The same request is not expected later, so the answer is not archived. */
  readonly isTransient?: boolean
  /** How long ago the period that the answer is about ended. */
  readonly endedForMs?: number
}

/** No method rejects: an answer that cannot be read or written is computed again. */
export interface AnswerArchive<Answer> {
  read(key: AnswerKey): Promise<ArchivedAnswer<Answer> | undefined>
  /** Returns when the answer was computed, in milliseconds since 1970, without reading it. */
  computedAt(key: AnswerKey): Promise<number | undefined>
  write(key: AnswerKey, answer: Answer, ttlMs: number): Promise<void>
}

/** Encodes and decodes answers of one kind. */
export interface AnswerCodec<Answer> {
  /** Name of the kind and version of the format. Answers in another format are not read. */
  readonly format: string
  encode(answer: Answer): Promise<Uint8Array>
  decode(bytes: Uint8Array): Promise<{ readonly answer: Answer; readonly size: number }>
}

interface ArchivedAnswer<Answer> {
  readonly answer: Answer
  readonly size: number
  /** How long the answer is still valid. */
  readonly ttlMs: number
}

/**
 * Returns how long an answer is kept at most, however much work it was: an hour, or a quarter of the time since its period
 * ended, because the longer ago that was, the less usage of it is still arriving.
 */
export const maxTtlMs = ({ endedForMs = 0 }: Pick<AnswerKey, 'endedForMs'> = {}): number =>
  Math.min(dayMs, Math.max(hourMs, endedForMs / 4))

/** Returns how long an answer stays valid that would be valid for `currentTtlMs` if its period had not ended. */
export const ttlMsOf = (key: Pick<AnswerKey, 'endedForMs'>, currentTtlMs: number): number =>
  maxTtlMs(key) * Math.min(1, currentTtlMs / hourMs)

/**
 * A cache of answers that take long to compute. The more items an answer is about, the longer it is kept. For a small or
 * too large answer, the cache only records that it is not worth keeping.
 */
export class AnswerCache<Answer> {
  readonly #options: AnswerCacheOptions<Answer>
  readonly #recent: LruCache<{ readonly kept: Answer | undefined }>
  readonly #reading = new Map<string, Promise<Answer | undefined>>()

  constructor(options: AnswerCacheOptions<Answer>) {
    this.#options = options
    this.#recent = new LruCache({ size: options.maxSize, count: options.maxCount })
  }

  /** Whether computing the answer again now would be useless, because it is cached, archived or not worth keeping. */
  async isSettled(key: AnswerKey): Promise<boolean> {
    if (this.#recentOf(key) !== undefined) return true
    return (await this.#archiveOf(key)?.computedAt(key)) !== undefined
  }

  #archiveOf({ isTransient = false }: AnswerKey): AnswerArchive<Answer> | undefined {
    return isTransient ? undefined : this.#options.archive
  }

  async find(key: AnswerKey): Promise<Answer | undefined> {
    const recent = this.#recentOf(key)
    return recent === undefined ? this.#archived(key) : recent.kept
  }

  /** To be called before an answer is computed, because its validity begins now. */
  begin(key: AnswerKey) {
    const { clockMs, maxSize, minItems, ttlMsPerItem } = this.#options
    const startedMs = clockMs()
    const most = maxSize / 4
    return {
      /** Whether an answer of this size can be kept. */
      fits: (size: number): boolean => size <= most,
      /** Keeps the answer. Resolves when it is also archived; callers need not wait for that. */
      finish: async (answer: Answer, size: number, items: number): Promise<void> => {
        const isKept = size <= most && items >= minItems
        const ttlMs = isKept ? ttlMsOf(key, items * ttlMsPerItem) : maxTtlMs(key)
        this.#keep(key, isKept ? { answer, size } : undefined, startedMs + ttlMs)
        if (isKept) await this.#archiveOf(key)?.write(key, answer, ttlMs - (clockMs() - startedMs))
      },
    }
  }

  #recentOf(key: AnswerKey) {
    return this.#recent.find(textOf(key), [key.basis], this.#options.clockMs())
  }

  /** Concurrent callers share one read of the archive. */
  #archived(key: AnswerKey): Promise<Answer | undefined> | undefined {
    const archive = this.#archiveOf(key)
    if (archive === undefined) return undefined
    const name = JSON.stringify([key.basis, textOf(key)])
    return this.#reading.getOrInsertComputed(name, () =>
      this.#adopt(key, archive).finally(() => this.#reading.delete(name)),
    )
  }

  async #adopt(key: AnswerKey, archive: AnswerArchive<Answer>): Promise<Answer | undefined> {
    const archived = await archive.read(key)
    if (archived === undefined) return undefined
    this.#keep(key, archived, this.#options.clockMs() + archived.ttlMs)
    return archived.answer
  }

  #keep(
    key: AnswerKey,
    kept: { readonly answer: Answer; readonly size: number } | undefined,
    expiresAtMs: number,
  ): void {
    this.#recent.keep(textOf(key), {
      answer: { kept: kept?.answer },
      basis: [key.basis],
      size: kept?.size ?? 0,
      expiresAtMs,
    })
  }
}

const textOf = ({ organisation, name }: AnswerKey): string => JSON.stringify([organisation, name])
