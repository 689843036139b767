import { RecentAnswers } from '../../runtime/recent-answers.ts'
import type { CostsSelection } from './query.ts'

/** About 500 times what working it out takes, as for sizes. */
const believedMsPerContainer = 100
const mostBelievedMs = 3_600_000
const mostKept = 1000
const defaults = {
  clockMs: () => performance.now(),
  mostChars: 16 << 20,
  /** An answer about fewer is worked out again each time. */
  leastContainers: 500,
}

/** What costs rest on besides usage; another object means that it changed. */
type CostsBasis = (organisation: string) => Promise<readonly unknown[]>

interface Kept {
  /** Undefined where it is too large to keep, or so small that it need not be. */
  readonly pieces: readonly string[] | undefined
  readonly next: string | undefined
}

/** Answers about costs of many containers as they were worked out lately. */
export class KeptCosts {
  readonly #basis: CostsBasis
  readonly #clockMs: () => number
  readonly #mostChars: number
  readonly #leastContainers: number
  readonly #recent: RecentAnswers<Kept>

  constructor(basis: CostsBasis, { clockMs, mostChars, leastContainers } = defaults) {
    this.#basis = basis
    this.#clockMs = clockMs
    this.#mostChars = mostChars
    this.#leastContainers = leastContainers
    this.#recent = new RecentAnswers({ size: mostChars, count: mostKept })
  }

  /** Whether nothing is gained by working the answer out again now. */
  async isSettled(asked: AskedCosts): Promise<boolean> {
    const basis = await this.#basis(asked.organisation)
    return this.#recent.find(keyOf(asked), basis, this.#clockMs()) !== undefined
  }

  /** The answer as it is kept, or as it is made, which is then kept if it is worth it. */
  async answer(asked: AskedCosts, make: () => Promise<CountedAnswer>): Promise<CostsAnswer> {
    const key = keyOf(asked)
    const basis = await this.#basis(asked.organisation)
    const { pieces, next } = this.#recent.find(key, basis, this.#clockMs()) ?? {}
    if (pieces !== undefined) return { pieces: again(pieces), ...(next === undefined ? {} : { next }) }
    const startedMs = this.#clockMs()
    const made = await make()
    return { ...made, pieces: this.#keeping(key, made, basis, startedMs) }
  }

  async *#keeping(
    key: string,
    { pieces, next, containers }: CountedAnswer,
    basis: readonly unknown[],
    startedMs: number,
  ): AsyncGenerator<string> {
    const most = this.#mostChars / 4
    const whole: string[] = []
    let chars = 0
    for await (const piece of pieces) {
      chars += piece.length
      if (chars <= most) whole.push(piece)
      yield piece
    }
    const isKept = chars <= most && containers() >= this.#leastContainers
    const believedMs = isKept
      ? Math.min(mostBelievedMs, containers() * believedMsPerContainer)
      : mostBelievedMs
    this.#recent.keep(key, {
      answer: { pieces: isKept ? whole : undefined, next },
      ...{ basis, size: isKept ? chars : 0, goodUntilMs: startedMs + believedMs },
    })
  }
}

export type CostFormat = 'json' | 'ndjson' | 'csv'

/** Text in pieces, made as they are taken. */
export interface CostsAnswer {
  readonly pieces: AsyncGenerator<string>
  /** Cursor of the next page while there is more. */
  readonly next?: string
}

interface AskedCosts {
  readonly organisation: string
  readonly query: CostsSelection
  readonly format: CostFormat
}

export interface CountedAnswer extends CostsAnswer {
  /** How many containers it is about, once it is whole. */
  containers(): number
}

function keyOf({ organisation, query, format }: AskedCosts): string {
  const { startMs, endMs, steps, groupBy, cluster, namespace, limit, after } = query
  return JSON.stringify([
    ...[organisation, format, startMs, endMs, steps.name, groupBy],
    ...[cluster ?? null, namespace ?? null, limit, after ?? null],
  ])
}

async function* again(pieces: readonly string[]): AsyncGenerator<string> {
  yield* pieces
}
