import { promisify } from 'node:util'
import { deserialize, serialize } from 'node:v8'
import { zstdCompress, zstdDecompress } from 'node:zlib'
import type { AdviceRow, DroppedAdvice } from '../../advice/advice-row.ts'
import { SubjectWatch } from '../../advice/subject-watch.ts'
import { type AnswerArchive, type AnswerCodec, type AnswerKey, maxTtlMs } from '../../runtime/answer-cache.ts'
import { BackgroundWork } from '../../runtime/yielder.ts'
import type { HourRange } from '../../usage/reading/pod-usage.ts'
import { adviceHours, collectAdvice, maxAdvice } from './collect-advice.ts'
import type { AdviceDeps } from './deps.ts'
import { readRecords, rememberAdvice } from './remember-advice.ts'

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
const usualFewSubjects = 500
const ttlMsPerSubject = { few: 20, many: 250 }
/** A list is computed again in the background after this share of the time for which it is used. */
const renewedShare = 0.25
/** Limit over all organisations: about 75 MB. */
const maxRows = 5 * maxAdvice

interface AdviceCacheOptions {
  /** Identifies everything except recent usage that a list depends on. */
  basis?(organisation: string): Promise<string>
  /** Keeps lists beyond the life of this process and shares them between nodes. */
  readonly archive?: AnswerArchive<AdviceList>
  /** Lists of fewer subjects are neither archived nor renewed. */
  readonly fewSubjects?: number
  clockMs?(): number
}

/** Computes the recommendations of an organisation once for all callers within some time. */
export class AdviceCache {
  readonly #deps: AdviceDeps
  readonly #basis: (organisation: string) => Promise<string>
  readonly #archive: AnswerArchive<AdviceList> | undefined
  readonly #fewSubjects: number
  readonly #clockMs: () => number
  /** Oldest computation first. */
  readonly #lists = new Map<string, Computation>()

  constructor(deps: AdviceDeps, options: AdviceCacheOptions = {}) {
    this.#deps = deps
    this.#basis = options.basis ?? (async () => '')
    this.#archive = options.archive
    this.#fewSubjects = options.fewSubjects ?? usualFewSubjects
    this.#clockMs = options.clockMs ?? (() => performance.now())
  }

  /** A computation is aborted when no caller waits for it any more. */
  async listOf(organisation: string, signal: AbortSignal): Promise<AdviceList> {
    const basis = await this.#basis(organisation)
    signal.throwIfAborted()
    const computation = this.#known(organisation, basis) ?? this.#begin(organisation, basis)
    computation.background?.avoidPausesUntil(computation.list)
    return this.#wait(computation, signal)
  }

  /**
   * Computes a list again in the background before it expires; meanwhile the previous one is used. A node whose turn it
   * is not takes over the list that another node has computed.
   */
  async renew(organisation: string, isOurs: () => Promise<boolean>, signal: AbortSignal): Promise<void> {
    const basis = await this.#basis(organisation)
    const known = this.#known(organisation, basis)
    const isYoung = known !== undefined && this.#clockMs() < known.renewAtMs
    if (isYoung || (this.#lists.get(organisation)?.subjects ?? forever) < this.#fewSubjects) return
    const computedAt = (await known?.list)?.computedAt ?? Number.NEGATIVE_INFINITY
    const storedAt = (await this.#archive?.computedAt(keyOf(organisation, basis))) ?? computedAt
    const archived = storedAt > computedAt ? await this.#archive?.read(keyOf(organisation, basis)) : undefined
    signal.throwIfAborted()
    if (archived !== undefined && archived.answer.computedAt > computedAt)
      this.#begin(organisation, basis, Promise.resolve(archived))
    else if (!(await isOurs())) return
    else if (known === undefined) await this.#wait(this.#begin(organisation, basis), signal)
    else this.#begin(organisation, basis, Promise.resolve(await this.#compute(organisation, basis, signal)))
  }

  async #wait(computation: Computation, signal: AbortSignal): Promise<AdviceList> {
    const { promise: left, reject } = Promise.withResolvers<never>()
    const leave = () => {
      if (--computation.waiting === 0) computation.abort.abort(signal.reason)
      reject(signal.reason)
    }
    computation.waiting++
    signal.addEventListener('abort', leave, { once: true })
    try {
      return await Promise.race([computation.list, left])
    } finally {
      signal.removeEventListener('abort', leave)
      if (!signal.aborted) computation.waiting--
    }
  }

  #known(organisation: string, basis: string): Computation | undefined {
    const known = this.#lists.get(organisation)
    const isGood = known !== undefined && known.basis === basis && this.#clockMs() < known.expiresAtMs
    return isGood ? known : undefined
  }

  #begin(organisation: string, basis: string, known?: Promise<CachedList>): Computation {
    const abort = new AbortController()
    const made = known ?? this.#find(organisation, basis, abort.signal)
    const computation: Computation = {
      basis,
      abort,
      waiting: 0,
      rows: 0,
      list: made.then(({ answer }) => answer),
      background: BackgroundWork.current,
      subjects: forever,
      expiresAtMs: forever,
      renewAtMs: forever,
    }
    this.#lists.delete(organisation)
    this.#lists.set(organisation, computation)
    const drop = () => this.#lists.get(organisation) === computation && this.#lists.delete(organisation)
    abort.signal.addEventListener('abort', drop)
    made.then(({ answer, ttlMs }) => {
      computation.expiresAtMs = this.#clockMs() + ttlMs
      computation.renewAtMs = this.#clockMs() + ttlMs * renewedShare
      computation.rows = 1 + answer.rows.length
      computation.subjects = answer.subjects
      this.#forgetOldest(computation)
    }, drop)
    return computation
  }

  async #find(organisation: string, basis: string, signal: AbortSignal): Promise<CachedList> {
    const archived = await this.#archive?.read(keyOf(organisation, basis))
    return archived ?? this.#compute(organisation, basis, signal)
  }

  async #compute(organisation: string, basis: string, signal: AbortSignal): Promise<CachedList> {
    const { store, now } = this.#deps
    const computedAt = now()
    const hours = adviceHours(computedAt)
    const records = await readRecords(store, organisation)
    const watch = new SubjectWatch(records)
    const { rows, dropped, subjects } = await collectAdvice(this.#deps, organisation, hours, watch, signal)
    await rememberAdvice(store, organisation, rows, records, watch, computedAt)
    const answer = { rows: rows.toSorted(byWorth), dropped, subjects, hours, computedAt }
    const ttlMs = this.#ttlMsOf(subjects)
    if (subjects >= this.#fewSubjects) void this.#archive?.write(keyOf(organisation, basis), answer, ttlMs)
    return { answer, ttlMs }
  }

  #ttlMsOf(subjects: number): number {
    const perSubject = ttlMsPerSubject[subjects < this.#fewSubjects ? 'few' : 'many']
    return Math.min(maxTtlMs(), subjects * perSubject)
  }

  #forgetOldest(justMade: Computation): void {
    let rows = 0
    for (const { rows: kept } of this.#lists.values()) rows += kept
    for (const [organisation, computation] of this.#lists) {
      if (rows <= maxRows) return
      if (computation === justMade || computation.rows === 0) continue
      rows -= computation.rows
      this.#lists.delete(organisation)
    }
  }
}

interface CachedList {
  readonly answer: AdviceList
  readonly ttlMs: number
}

interface Computation {
  readonly basis: string
  readonly list: Promise<AdviceList>
  readonly abort: AbortController
  /** The background work that started this computation; undefined if a request started it. */
  readonly background: BackgroundWork | undefined
  waiting: number
  expiresAtMs: number
  renewAtMs: number
  rows: number
  subjects: number
}

const forever = Number.POSITIVE_INFINITY

const keyOf = (organisation: string, basis: string): AnswerKey => ({ organisation, name: '', basis })

export const adviceCodec: AnswerCodec<AdviceList> = {
  format: 'recommendations 1',
  encode: (list) => promisify(zstdCompress)(serialize(list)),
  async decode(bytes) {
    const answer: AdviceList = deserialize(await promisify(zstdDecompress)(bytes))
    return { answer, size: answer.rows.length }
  },
}

/** Orders by worth, greatest first, then by id. */
export const byWorth = (a: AdviceRow, b: AdviceRow): number =>
  b.worth - a.worth || (a.advice.id < b.advice.id ? -1 : 1)
