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

interface CostlyOptions {
  clockMs(): number
  /** Size of all answers together; one that takes more than a quarter of it is not kept. */
  readonly mostSize: number
  readonly mostCount: number
  /** An answer about fewer is worked out again each time. */
  readonly leastItems: number
  /** About 500 times what working it out takes, so that this is a small part of the time. */
  readonly believedMsPerItem: number
}

const mostBelievedMs = 3_600_000

/** Answers that take long, kept for the longer the more they are about. Of others it is known that they are not worth it. */
export class CostlyAnswers<Answer> {
  readonly #options: CostlyOptions
  readonly #recent: RecentAnswers<{ readonly kept: Answer | undefined }>

  constructor(options: CostlyOptions) {
    this.#options = options
    this.#recent = new RecentAnswers({ size: options.mostSize, count: options.mostCount })
  }

  /** Whether nothing is gained by working the answer out again now. */
  isSettled(key: string, basis: readonly unknown[]): boolean {
    return this.#recent.find(key, basis, this.#options.clockMs()) !== undefined
  }

  find(key: string, basis: readonly unknown[]): Answer | undefined {
    return this.#recent.find(key, basis, this.#options.clockMs())?.kept
  }

  /** Before an answer is worked out, since it is believed from now on. */
  begin(key: string, basis: readonly unknown[]) {
    const { clockMs, mostSize, leastItems, believedMsPerItem } = this.#options
    const startedMs = clockMs()
    const most = mostSize / 4
    return {
      /** Whether an answer of this size can be kept. */
      fits: (size: number): boolean => size <= most,
      finish: (answer: Answer, size: number, items: number): void => {
        const isKept = size <= most && items >= leastItems
        const believedMs = isKept ? Math.min(mostBelievedMs, items * believedMsPerItem) : mostBelievedMs
        this.#recent.keep(key, {
          answer: { kept: isKept ? answer : undefined },
          ...{ basis, size: isKept ? size : 0, goodUntilMs: startedMs + believedMs },
        })
      },
    }
  }
}
