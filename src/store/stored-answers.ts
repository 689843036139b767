import { hash } from 'node:crypto'
import type { Clock } from '../domain/time.ts'
import type { AnswerArchive, AnswerCodec, AnswerKey } from '../runtime/recent-answers.ts'
import type { AnswerStore } from './port.ts'

interface StoredAnswersDeps {
  readonly store: { readonly answers: AnswerStore }
  readonly now: Clock
}

/** All kinds together: three windows, this hour and the next, and a few more that somebody asked for. */
const mostPerOrganisation = 24
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
    const missing = JSON.stringify([key.organisation, key.name, key.basis])
    if (now - (this.#missedAt.get(missing) ?? Number.NEGATIVE_INFINITY) < missedForMs) return undefined
    const found = await this.#find(key, now).catch(() => undefined)
    this.#missedAt.delete(missing)
    if (found === undefined) this.#missedAt.set(missing, now)
    for (const oldest of this.#missedAt.keys()) {
      if (this.#missedAt.size <= mostMissed) break
      this.#missedAt.delete(oldest)
    }
    return found
  }

  async write(key: AnswerKey, answer: Answer, believedMs: number): Promise<void> {
    const computedAt = this.#deps.now()
    try {
      const bytes = await this.#codec.encode(answer)
      await this.#deps.store.answers.write(
        key.organisation,
        this.#nameOf(key),
        {
          basis: hash('sha256', key.basis),
          computedAt,
          goodUntil: computedAt + Math.floor(believedMs),
          bytes,
        },
        mostPerOrganisation,
      )
    } catch {
      // What could not be written is worked out again by who needs it.
    }
  }

  async #find(key: AnswerKey, now: number) {
    const { organisation, basis } = key
    const stored = await this.#deps.store.answers.read(
      organisation,
      this.#nameOf(key),
      hash('sha256', basis),
      now,
    )
    if (stored === undefined) return undefined
    return { ...(await this.#codec.decode(stored.bytes)), believedMs: stored.goodUntil - now }
  }

  /** Names of questions have no bound. */
  #nameOf({ name }: AnswerKey): string {
    return `${this.#codec.format} ${hash('sha256', name)}`
  }
}
