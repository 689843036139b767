interface RecentAnswer<Answer> {
  readonly answer: Answer
  /** What it rests on; a part that is not the same means that it changed. */
  readonly basis: readonly unknown[]
  readonly size: number
  readonly goodUntilMs: number
}

/** Answers that were worked out lately, up to a size of all; those asked for last stay. */
export class RecentAnswers<Answer> {
  readonly #most: { readonly size: number; readonly count: number }
  /** The one asked for last comes last. */
  readonly #recent = new Map<string, RecentAnswer<Answer>>()
  #size = 0

  constructor(most: { readonly size: number; readonly count: number }) {
    this.#most = most
  }

  /** Undefined, and forgotten, once its time is over or what it rests on is another. */
  find(key: string, basis: readonly unknown[], atMs: number): Answer | undefined {
    const found = this.#recent.get(key)
    if (found === undefined) return undefined
    this.#drop(key)
    const isSame = basis.every((part, index) => part === found.basis[index])
    if (!isSame || atMs >= found.goodUntilMs) return undefined
    this.keep(key, found)
    return found.answer
  }

  keep(key: string, recent: RecentAnswer<Answer>): void {
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

interface CostlyOptions<Answer> {
  clockMs(): number
  /** Size of all answers together; one that takes more than a quarter of it is not kept. */
  readonly mostSize: number
  readonly mostCount: number
  /** An answer about fewer is worked out again each time. */
  readonly leastItems: number
  /** About 500 times what working it out takes, so that this is a small part of the time. */
  readonly believedMsPerItem: number
  /** Where answers outlive this process, and other nodes find them. */
  readonly archive?: AnswerArchive<Answer> | undefined
}

/** What an answer is about, and what it rests on besides usage: another text means that it changed. */
export interface AnswerKey {
  readonly organisation: string
  /** Names the question. */
  readonly name: string
  readonly basis: string
  /** Nobody asks the same again later, so that it is not archived. */
  readonly isTransient?: boolean
}

/** No method fails: what cannot be read or written is worked out again. */
export interface AnswerArchive<Answer> {
  read(key: AnswerKey): Promise<ArchivedAnswer<Answer> | undefined>
  /** Milliseconds since 1970, without reading it. */
  computedAt(key: AnswerKey): Promise<number | undefined>
  write(key: AnswerKey, answer: Answer, believedMs: number): Promise<void>
}

/** How answers of a kind are written as bytes. */
export interface AnswerCodec<Answer> {
  /** Names the kind and its form; answers of another form are not read. */
  readonly format: string
  encode(answer: Answer): Promise<Uint8Array>
  decode(bytes: Uint8Array): Promise<{ readonly answer: Answer; readonly size: number }>
}

interface ArchivedAnswer<Answer> {
  readonly answer: Answer
  readonly size: number
  /** For how long it is still believed. */
  readonly believedMs: number
}

const mostBelievedMs = 3_600_000

/** Answers that take long, kept for the longer the more they are about. Of others it is known that they are not worth it. */
export class CostlyAnswers<Answer> {
  readonly #options: CostlyOptions<Answer>
  readonly #recent: RecentAnswers<{ readonly kept: Answer | undefined }>
  readonly #reading = new Map<string, Promise<Answer | undefined>>()

  constructor(options: CostlyOptions<Answer>) {
    this.#options = options
    this.#recent = new RecentAnswers({ size: options.mostSize, count: options.mostCount })
  }

  /** Whether nothing is gained by working the answer out again now. */
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

  /** Before an answer is worked out, since it is believed from now on. */
  begin(key: AnswerKey) {
    const { clockMs, mostSize, leastItems, believedMsPerItem } = this.#options
    const startedMs = clockMs()
    const most = mostSize / 4
    return {
      /** Whether an answer of this size can be kept. */
      fits: (size: number): boolean => size <= most,
      /** Resolves when it is archived too; nobody has to wait for that. */
      finish: async (answer: Answer, size: number, items: number): Promise<void> => {
        const isKept = size <= most && items >= leastItems
        const believedMs = isKept ? Math.min(mostBelievedMs, items * believedMsPerItem) : mostBelievedMs
        this.#keep(key, isKept ? { answer, size } : undefined, startedMs + believedMs)
        if (isKept) await this.#archiveOf(key)?.write(key, answer, believedMs - (clockMs() - startedMs))
      },
    }
  }

  #recentOf(key: AnswerKey) {
    return this.#recent.find(textOf(key), [key.basis], this.#options.clockMs())
  }

  /** Read once for all who ask for it meanwhile. */
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
    this.#keep(key, archived, this.#options.clockMs() + archived.believedMs)
    return archived.answer
  }

  #keep(
    key: AnswerKey,
    kept: { readonly answer: Answer; readonly size: number } | undefined,
    goodUntilMs: number,
  ): void {
    this.#recent.keep(textOf(key), {
      answer: { kept: kept?.answer },
      ...{ basis: [key.basis], size: kept?.size ?? 0, goodUntilMs },
    })
  }
}

const textOf = ({ organisation, name }: AnswerKey): string => JSON.stringify([organisation, name])
