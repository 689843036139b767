import { createHash } from 'node:crypto'
import { hourMs } from '../../domain/time.ts'
import { SharedWork } from '../../runtime/shared-work.ts'
import { StoreUnavailable } from '../../store/port.ts'
import type { StoredList } from '../../store/port-recommendations.ts'
import { adviceHours, collectAdvice } from './collect-advice.ts'
import type { AdviceDeps } from './deps.ts'
import { type AdviceList, decodeList, encodeList } from './list-codec.ts'
import { readRecords, rememberAdvice } from './remember-advice.ts'
import type { AdviceRow } from './rows/advice-row.ts'
import { SubjectWatch } from './rows/subject-watch.ts'
import { Advice } from './schema.ts'

/** A list of fewer subjects is quick to make, and so is used for this long per subject. */
const fewSubjects = 500
const ttlMsPerSubject = 20
/** A longer list is used for this long, and is made again by a job before. */
const maxTtlMs = 4 * hourMs

/** A list that another release stored may lack members of recommendations, or have others. */
const shapeOfRows = JSON.stringify(Advice)

export interface MadeList extends AdviceList {
  readonly madeAt: number
}

/** The stored lists of recommendations, which every instance of the service reads. */
export class AdviceLists {
  readonly #deps: AdviceDeps
  readonly #basis: (organisation: string) => Promise<string>
  readonly #work = new SharedWork<string, StoredList>()

  /** `basis` describes everything except recent usage that a list depends on. */
  constructor(deps: AdviceDeps, basis: (organisation: string) => Promise<string> = async () => '') {
    this.#deps = deps
    this.#basis = basis
  }

  /** Reads the list, or makes it if prices, profile or rules have changed since. The work ends if no caller waits for it any more. */
  async listOf(organisation: string, signal: AbortSignal): Promise<MadeList> {
    const basis = await this.#basisOf(organisation)
    signal.throwIfAborted()
    const stored = await this.#deps.store.recommendations.list(organisation)
    const list = stored?.basis === basis ? madeList(stored) : undefined
    const ageMs = this.#deps.now() - (list?.madeAt ?? 0)
    if (list !== undefined && ageMs >= 0 && ageMs < ttlMsOf(list)) return list
    return madeList(await this.#makeShared(organisation, basis, signal))
  }

  async renew(organisation: string, ageMs: number, signal: AbortSignal): Promise<void> {
    const basis = await this.#basisOf(organisation)
    const stored = await this.#deps.store.recommendations.list(organisation)
    if (stored?.basis === basis && this.#deps.now() - stored.madeAt < ageMs) return
    await this.#makeShared(organisation, basis, signal)
  }

  async #basisOf(organisation: string): Promise<string> {
    return createHash('sha256')
      .update(shapeOfRows)
      .update(await this.#basis(organisation))
      .digest('hex')
  }

  #makeShared(organisation: string, basis: string, signal: AbortSignal): Promise<StoredList> {
    return this.#work.run(JSON.stringify([organisation, basis]), signal, (aborted) =>
      this.#make(organisation, basis, aborted),
    )
  }

  async #make(organisation: string, basis: string, signal: AbortSignal): Promise<StoredList> {
    const { store, now } = this.#deps
    const madeAt = now()
    const hours = adviceHours(madeAt)
    const records = await readRecords(store, organisation)
    const watch = new SubjectWatch(records)
    const { rows, ...facts } = await collectAdvice(this.#deps, organisation, hours, watch, signal)
    await rememberAdvice(store, organisation, rows, records, watch, madeAt)
    const list = { madeAt, basis, bytes: encodeList({ ...facts, hours }, rows.toSorted(byWorth)) }
    try {
      await store.recommendations.writeList(organisation, list)
    } catch (error) {
      // The database takes no writes at the moment. The list can still be shown.
      if (!(error instanceof StoreUnavailable)) throw error
    }
    return list
  }
}

const ttlMsOf = ({ subjects }: AdviceList): number =>
  subjects < fewSubjects ? subjects * ttlMsPerSubject : maxTtlMs

const madeList = ({ madeAt, bytes }: StoredList): MadeList => ({ madeAt, ...decodeList(bytes) })

type Ordered = Pick<AdviceRow, 'worth'> & { readonly advice: Pick<AdviceRow['advice'], 'id'> }

export const byWorth = (a: Ordered, b: Ordered): number =>
  b.worth - a.worth || (a.advice.id < b.advice.id ? -1 : 1)
