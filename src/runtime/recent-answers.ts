interface RecentAnswer<Answer> {
  readonly answer: Answer
  /** What it rests on; another object means that it changed. */
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
