import { hash } from 'node:crypto'
import type { Clock } from '../domain/time.ts'
import type { AnswerArchive, AnswerCodec, AnswerKey } from '../runtime/recent-answers.ts'
import type { AnswerStore } from './port.ts'

interface StoredAnswersDeps {
  readonly store: { readonly answers: AnswerStore }
  readonly now: Clock
  /** The program's: another one may write other answers. */
  readonly version: string
}

/** All kinds together: three windows, this hour and the next, and a few more that somebody asked for. */
const mostPerOrganisation = 24
const mostBelievedMs = 3_600_000
/** Clocks of nodes may differ by so much. */
const mostAheadMs = 60_000
/** Another node may have written it meanwhile, but a question is not asked of the database each time. */
const missedForMs = 30_000
const mostMissed = 10_000

/** Answers in the database, for other nodes and for the next start. */
export class StoredAnswers<Answer> implements AnswerArchive<Answer> {
  readonly #deps: StoredAnswersDeps
  readonly #codec: AnswerCodec<Answer>
  /** When each was looked for in vain. */
  readonly #missedAt = new Map<string, number>()

  constructor(deps: StoredAnswersDeps, codec: AnswerCodec<Answer>) {
    this.#deps = deps
    this.#codec = codec
  }

  async read(key: AnswerKey) {
    const now = this.#deps.now()
    const named = this.#named(key)
    const missing = JSON.stringify(named)
    if (now - (this.#missedAt.get(missing) ?? Number.NEGATIVE_INFINITY) < missedForMs) return undefined
    const found = await this.#find(named, now).catch(() => undefined)
    this.#missedAt.delete(missing)
    if (found === undefined) this.#missedAt.set(missing, now)
    for (const oldest of this.#missedAt.keys()) {
      if (this.#missedAt.size <= mostMissed) break
      this.#missedAt.delete(oldest)
    }
    return found
  }

  computedAt(key: AnswerKey): Promise<number | undefined> {
    return this.#deps.store.answers.computedAt(...this.#named(key), this.#deps.now()).catch(() => undefined)
  }

  async write(key: AnswerKey, answer: Answer, believedMs: number): Promise<void> {
    const computedAt = this.#deps.now()
    const [organisation, name, basis] = this.#named(key)
    try {
      const bytes = await this.#codec.encode(answer)
      const goodUntil = computedAt + Math.floor(believedMs)
      const stored = { basis, computedAt, goodUntil, bytes }
      await this.#deps.store.answers.write(organisation, name, stored, mostPerOrganisation)
    } catch {
      // What could not be written is worked out again by who needs it.
    }
  }

  async #find(named: Named, now: number) {
    const stored = await this.#deps.store.answers.read(...named, now)
    if (stored === undefined || stored.computedAt > now + mostAheadMs) return undefined
    const believedMs = Math.min(mostBelievedMs, stored.goodUntil - now)
    return { ...(await this.#codec.decode(stored.bytes)), believedMs }
  }

  /** Hashed, since names of questions and what answers rest on have no bound. */
  #named({ organisation, name, basis }: AnswerKey): Named {
    const { format } = this.#codec
    return [organisation, [format, this.#deps.version, hash('sha256', name)].join(' '), hash('sha256', basis)]
  }
}

/** Organisation, name and basis. */
type Named = [string, string, string]
