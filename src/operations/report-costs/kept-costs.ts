import { CostlyAnswers } from '../../runtime/recent-answers.ts'
import type { CostsSelection } from './query.ts'

const believedMsPerContainer = 100
const mostKept = 1000
const defaults = { clockMs: () => performance.now(), mostChars: 16 << 20, leastContainers: 500 }

/** What costs rest on besides usage; another object means that it changed. */
type CostsBasis = (organisation: string) => Promise<readonly unknown[]>

interface Kept {
  readonly pieces: readonly string[]
  readonly next: string | undefined
}

/** Answers about costs of many containers as they were worked out lately. */
export class KeptCosts {
  readonly #basis: CostsBasis
  readonly #recent: CostlyAnswers<Kept>

  constructor(basis: CostsBasis, { clockMs, mostChars, leastContainers } = defaults) {
    this.#basis = basis
    this.#recent = new CostlyAnswers({
      ...{ clockMs, mostSize: mostChars, mostCount: mostKept },
      ...{ leastItems: leastContainers, believedMsPerItem: believedMsPerContainer },
    })
  }

  /** Whether nothing is gained by working the answer out again now. */
  async isSettled(asked: AskedCosts): Promise<boolean> {
    return this.#recent.isSettled(keyOf(asked), await this.#basis(asked.organisation))
  }

  /** The answer as it is kept, or as it is made, which is then kept if it is worth it. */
  async answer(asked: AskedCosts, make: () => Promise<CountedAnswer>): Promise<CostsAnswer> {
    const key = keyOf(asked)
    const basis = await this.#basis(asked.organisation)
    const kept = this.#recent.find(key, basis)
    if (kept !== undefined)
      return { pieces: again(kept.pieces), ...(kept.next === undefined ? {} : { next: kept.next }) }
    const keeping = this.#recent.begin(key, basis)
    const made = await make()
    return { ...made, pieces: piecesKept(made, keeping) }
  }
}

async function* piecesKept(
  { pieces, next, containers }: CountedAnswer,
  keeping: ReturnType<CostlyAnswers<Kept>['begin']>,
): AsyncGenerator<string> {
  const whole: string[] = []
  let chars = 0
  for await (const piece of pieces) {
    chars += piece.length
    if (keeping.fits(chars)) whole.push(piece)
    yield piece
  }
  keeping.finish({ pieces: whole, next }, chars, containers())
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
