import type { AdviceRow, DroppedAdvice } from '../../advice/advice-row.ts'
import type { HourRange } from '../../usage/reading/pod-usage.ts'
import { adviceHours, collectAdvice, mostAdvice } from './collect-advice.ts'
import type { AdviceDeps } from './deps.ts'
import { readRecords, rememberAdvice, SubjectWatch } from './remember-advice.ts'

/** All recommendations of an organisation at one moment. */
export interface AdviceList {
  /** Greatest worth first. */
  readonly rows: readonly AdviceRow[]
  readonly dropped: DroppedAdvice
  readonly hours: HourRange
  /** How many containers and machines were judged. */
  readonly subjects: number
  /** Milliseconds since 1970. */
  readonly computedAt: number
}

/** What takes longer to compute is used longer: a few containers for a moment, ten thousand for minutes. */
const usedPerSubjectMs = 20
const mostUsedMs = 300_000
/** Over all organisations: about 75 MB. */
const mostRows = 5 * mostAdvice

/** Computes the recommendations of an organisation once for everybody who asks within some time. */
export class AdviceCache {
  readonly #deps: AdviceDeps
  readonly #clockMs: () => number
  /** In order of when they were computed. */
  readonly #lists = new Map<string, Computation>()

  constructor(deps: AdviceDeps, clockMs = () => performance.now()) {
    this.#deps = deps
    this.#clockMs = clockMs
  }

  /** A computation that nobody waits for any more is aborted. */
  async of(organisation: string, signal: AbortSignal): Promise<AdviceList> {
    signal.throwIfAborted()
    const known = this.#lists.get(organisation)
    const computation =
      known !== undefined && this.#clockMs() < known.usedUntilMs ? known : this.#begin(organisation)
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

  #begin(organisation: string): Computation {
    const abort = new AbortController()
    const computation: Computation = {
      list: this.#compute(organisation, abort.signal),
      abort,
      waiting: 0,
      usedUntilMs: Number.POSITIVE_INFINITY,
      rows: 0,
    }
    this.#lists.delete(organisation)
    this.#lists.set(organisation, computation)
    const drop = () => this.#lists.get(organisation) === computation && this.#lists.delete(organisation)
    abort.signal.addEventListener('abort', drop)
    computation.list.then(({ rows, subjects }) => {
      computation.usedUntilMs = this.#clockMs() + Math.min(mostUsedMs, subjects * usedPerSubjectMs)
      computation.rows = 1 + rows.length
      this.#forgetOldest(computation)
    }, drop)
    return computation
  }

  async #compute(organisation: string, signal: AbortSignal): Promise<AdviceList> {
    const { store, now } = this.#deps
    const computedAt = now()
    const hours = adviceHours(computedAt)
    const records = await readRecords(store, organisation)
    const watch = new SubjectWatch(records)
    const { rows, dropped, subjects } = await collectAdvice(this.#deps, organisation, hours, watch, signal)
    await rememberAdvice(store, organisation, rows, records, watch, computedAt)
    return { rows: rows.toSorted(byWorth), dropped, subjects, hours, computedAt }
  }

  #forgetOldest(justMade: Computation): void {
    let rows = 0
    for (const { rows: kept } of this.#lists.values()) rows += kept
    for (const [organisation, computation] of this.#lists) {
      if (rows <= mostRows) return
      if (computation === justMade || computation.rows === 0) continue
      rows -= computation.rows
      this.#lists.delete(organisation)
    }
  }
}

interface Computation {
  readonly list: Promise<AdviceList>
  readonly abort: AbortController
  waiting: number
  usedUntilMs: number
  rows: number
}

/** Greatest worth first, then by id. */
export const byWorth = (a: AdviceRow, b: AdviceRow): number =>
  b.worth - a.worth || (a.advice.id < b.advice.id ? -1 : 1)
