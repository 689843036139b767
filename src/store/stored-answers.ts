import { hash } from 'node:crypto'
import type { Clock } from '../domain/time.ts'
import { type AnswerArchive, type AnswerCodec, type AnswerKey, maxTtlMs } from '../runtime/answer-cache.ts'
import type { AnswerStore } from './port.ts'

interface StoredAnswersDeps {
  readonly store: { readonly answers: AnswerStore }
  readonly now: Clock
  /** The version of the program. Another version may write different answers. */
  readonly version: string
}

/**
 * For all kinds together: three windows up to this hour, the next one and the last midnight, and a few others that were
 * requested.
 */
const maxPerOrganisation = 40
/** The clocks of nodes may differ by this much. */
const maxAheadMs = 60_000
/** An answer that was not found is not looked up again for this time, although another node may write it meanwhile. */
const missedForMs = 30_000
const maxMissed = 10_000

/** Answers in the database, for other nodes and for the next start. */
export class StoredAnswers<Answer> implements AnswerArchive<Answer> {
  readonly #deps: StoredAnswersDeps
  readonly #codec: AnswerCodec<Answer>
  /** When each answer was last looked up and not found. */
  readonly #missedAt = new Map<string, number>()

  constructor(deps: StoredAnswersDeps, codec: AnswerCodec<Answer>) {
    this.#deps = deps
    this.#codec = codec
  }

  async read(key: AnswerKey) {
    const now = this.#deps.now()
    const missing = JSON.stringify(this.#named(key))
    if (now - (this.#missedAt.get(missing) ?? Number.NEGATIVE_INFINITY) < missedForMs) return undefined
    const found = await this.#find(key, now).catch(() => undefined)
    this.#missedAt.delete(missing)
    if (found === undefined) this.#missedAt.set(missing, now)
    for (const oldest of this.#missedAt.keys()) {
      if (this.#missedAt.size <= maxMissed) break
      this.#missedAt.delete(oldest)
    }
    return found
  }

  computedAt(key: AnswerKey): Promise<number | undefined> {
    return this.#deps.store.answers.computedAt(...this.#named(key), this.#deps.now()).catch(() => undefined)
  }

  async write(key: AnswerKey, answer: Answer, ttlMs: number): Promise<void> {
    const computedAt = this.#deps.now()
    const [organisation, name, basis] = this.#named(key)
    try {
      const bytes = await this.#codec.encode(answer)
      const expiresAt = computedAt + Math.floor(ttlMs)
      const stored = { basis, computedAt, expiresAt, bytes }
      await this.#deps.store.answers.write(organisation, name, stored, maxPerOrganisation)
    } catch {
      // An answer that could not be written is computed again by the node that needs it.
    }
  }

  async #find(key: AnswerKey, now: number) {
    const stored = await this.#deps.store.answers.read(...this.#named(key), now)
    if (stored === undefined || stored.computedAt > now + maxAheadMs) return undefined
    const ttlMs = Math.min(maxTtlMs(key), stored.expiresAt - now)
    return { ...(await this.#codec.decode(stored.bytes)), ttlMs }
  }

  /** Name and basis are hashed, since their length has no limit. */
  #named({ organisation, name, basis }: AnswerKey): Named {
    const { format } = this.#codec
    return [organisation, [format, this.#deps.version, hash('sha256', name)].join(' '), hash('sha256', basis)]
  }
}

/** Organisation, name and basis. */
type Named = [string, string, string]
