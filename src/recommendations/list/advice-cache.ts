import { LruCache, maxTtlMs } from '../../runtime/answer-cache.ts'
import { SharedWork } from '../../runtime/shared-work.ts'
import type { HourRange } from '../../usage/reading/pod-usage.ts'
import { adviceHours, collectAdvice, maxAdvice } from './collect-advice.ts'
import type { AdviceDeps } from './deps.ts'
import { readRecords, rememberAdvice } from './remember-advice.ts'
import type { AdviceRow, DroppedAdvice } from './rows/advice-row.ts'
import { SubjectWatch } from './rows/subject-watch.ts'

/** All recommendations of an organisation at one moment. */
export interface AdviceList {
  /** Sorted by worth, greatest first. */
  readonly rows: readonly AdviceRow[]
  readonly dropped: DroppedAdvice
  readonly hours: HourRange
  /** Number of containers and machines that were examined. */
  readonly subjects: number
  /** Milliseconds since 1970. */
  readonly computedAt: number
}

/**
 * A list is used for 20 ms per subject if there are few, else for 250 ms per subject, which is about 500 times what
 * computing it takes; at most for an hour.
 */
const defaultFewSubjects = 500
const ttlMsPerSubject = { few: 20, many: 250 }
/** A list is computed again in the background after this share of the time for which it is used. */
const renewedShare = 0.25
/** Limit over all organisations: about 75 MB. */
const maxRows = 5 * maxAdvice

interface AdviceCacheOptions {
  /** Identifies everything except recent usage that a list depends on. */
  basis?(organisation: string): Promise<string>
  /** Lists of fewer subjects are not renewed. */
  readonly fewSubjects?: number
  clockMs?(): number
}

/** Computes the recommendations of an organisation once for all callers within some time. */
export class AdviceCache {
  readonly #deps: AdviceDeps
  readonly #basis: (organisation: string) => Promise<string>
  readonly #fewSubjects: number
  readonly #clockMs: () => number
  readonly #lists = new LruCache<KeptList>({ size: maxRows, count: maxRows })
  readonly #work = new SharedWork<string, AdviceList>()

  constructor(deps: AdviceDeps, options: AdviceCacheOptions = {}) {
    this.#deps = deps
    this.#basis = options.basis ?? (async () => '')
    this.#fewSubjects = options.fewSubjects ?? defaultFewSubjects
    this.#clockMs = options.clockMs ?? (() => performance.now())
  }

  /** A computation is aborted when no caller waits for it any more. */
  async listOf(organisation: string, signal: AbortSignal): Promise<AdviceList> {
    const basis = await this.#basis(organisation)
    signal.throwIfAborted()
    return this.#find(organisation, basis)?.list ?? this.#compute(organisation, basis, signal)
  }

  /** Computes a long list again before it expires; meanwhile the previous one is used. */
  async renew(organisation: string, signal: AbortSignal): Promise<void> {
    const basis = await this.#basis(organisation)
    const kept = this.#find(organisation, basis)
    const isYoung = kept !== undefined && this.#clockMs() < kept.renewAtMs
    if (isYoung || (kept?.list.subjects ?? Number.POSITIVE_INFINITY) < this.#fewSubjects) return
    await this.#compute(organisation, basis, signal)
  }

  #find(organisation: string, basis: string): KeptList | undefined {
    return this.#lists.find(organisation, [basis], this.#clockMs())
  }

  async #compute(organisation: string, basis: string, signal: AbortSignal): Promise<AdviceList> {
    return this.#work.run(JSON.stringify([organisation, basis]), signal, async (aborted) => {
      const list = await this.#collect(organisation, aborted)
      const { few, many } = ttlMsPerSubject
      const ttlMs = Math.min(maxTtlMs(), list.subjects * (list.subjects < this.#fewSubjects ? few : many))
      const atMs = this.#clockMs()
      this.#lists.keep(organisation, {
        answer: { list, renewAtMs: atMs + ttlMs * renewedShare },
        basis: [basis],
        size: 1 + list.rows.length,
        expiresAtMs: atMs + ttlMs,
      })
      return list
    })
  }

  async #collect(organisation: string, signal: AbortSignal): Promise<AdviceList> {
    const { store, now } = this.#deps
    const computedAt = now()
    const hours = adviceHours(computedAt)
    const records = await readRecords(store, organisation)
    const watch = new SubjectWatch(records)
    const { rows, dropped, subjects } = await collectAdvice(this.#deps, organisation, hours, watch, signal)
    await rememberAdvice(store, organisation, rows, records, watch, computedAt)
    return { rows: rows.toSorted(byWorth), dropped, subjects, hours, computedAt }
  }
}

interface KeptList {
  readonly list: AdviceList
  readonly renewAtMs: number
}

/** Orders by worth, greatest first, then by id. */
export const byWorth = (a: AdviceRow, b: AdviceRow): number =>
  b.worth - a.worth || (a.advice.id < b.advice.id ? -1 : 1)
