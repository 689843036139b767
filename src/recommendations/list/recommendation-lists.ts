import { createHash } from 'node:crypto'
import { hourMs } from '../../domain/time.ts'
import { SharedWork } from '../../runtime/shared-work.ts'
import { StoreUnavailable } from '../../store/port.ts'
import type { StoredList } from '../../store/port-recommendations.ts'
import { collectRecommendations, recommendationHours } from './collect-recommendations.ts'
import type { RecommendationDeps } from './deps.ts'
import { decodeList, encodeList, type RecommendationList } from './list-codec.ts'
import { readRecords, rememberRecommendations } from './remember-recommendations.ts'
import type { RecommendationRow } from './rows/recommendation-row.ts'
import { SubjectWatch } from './rows/subject-watch.ts'
import { Recommendation } from './schema.ts'

/** A list of fewer subjects is quick to make, and so is used for this long per subject. */
const fewSubjects = 500
const ttlMsPerSubject = 20
/** A longer list is used for this long, and is made again by a job before. */
const maxTtlMs = 4 * hourMs

/** A list that another release stored may lack members of recommendations, or have others. */
const shapeOfRows = JSON.stringify(Recommendation)

export type MadeList = RecommendationList & { readonly madeAt: number }

/** The stored lists of recommendations, which every instance of the service reads. */
export class RecommendationLists {
  readonly #deps: RecommendationDeps
  readonly #basis: (organisation: string) => Promise<string>
  readonly #work = new SharedWork<string, StoredList>()

  /** `basis` describes everything except recent usage that a list depends on. */
  constructor(deps: RecommendationDeps, basis: (organisation: string) => Promise<string> = async () => '') {
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
    const hours = recommendationHours(madeAt)
    const records = await readRecords(store, organisation)
    const watch = new SubjectWatch(records)
    const { rows, ...facts } = await collectRecommendations(this.#deps, organisation, hours, watch, signal)
    await rememberRecommendations(store, organisation, rows, records, watch, madeAt)
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

const ttlMsOf = ({ subjects }: RecommendationList): number =>
  subjects < fewSubjects ? subjects * ttlMsPerSubject : maxTtlMs

const madeList = ({ madeAt, bytes }: StoredList): MadeList => ({ madeAt, ...decodeList(bytes) })

type Ordered = Pick<RecommendationRow, 'worth'> & {
  readonly recommendation: Pick<RecommendationRow['recommendation'], 'id'>
}

export const byWorth = (a: Ordered, b: Ordered): number =>
  b.worth - a.worth || (a.recommendation.id < b.recommendation.id ? -1 : 1)
