import type { SubjectSize } from '../schema.ts'
import type { RecommendationRecord } from './followed-recommendation.ts'
import type { SubjectObserver } from './recommendation-row.ts'
import { noSize } from './recommendation-row.ts'

export class SubjectWatch implements SubjectObserver {
  readonly #records: ReadonlyMap<string, RecommendationRecord>
  readonly #sizes = new Map<string, SubjectSize>()
  readonly #lastHours = new Map<string, number>()
  readonly #volumesOf = new Set<string>()
  readonly #clusterHours = new Map<string, number>()

  constructor(records: ReadonlyMap<string, RecommendationRecord>) {
    this.#records = records
  }

  see(id: string, size: SubjectSize): void {
    if (this.#records.has(id)) this.#sizes.set(id, size)
  }

  seeVolume(id: string, cluster: string, size: SubjectSize): void {
    this.see(id, size)
    this.#volumesOf.add(cluster)
  }

  seeWorkload(id: string, cluster: string, lastHour: number): void {
    if (this.#records.has(id)) this.#lastHours.set(id, lastHour)
    this.#clusterHours.set(cluster, Math.max(lastHour, this.#clusterHours.get(cluster) ?? 0))
  }

  /**
   * Returns null if the subject is gone and undefined if nothing is known about it. A workload is gone if it was not
   * seen for a day while its cluster still reports; until then it is not known whether it is.
   * A volume is gone if others of its cluster are listed.
   */
  sizeOf({ recommendation: { id, kind, cluster } }: RecommendationRecord): SubjectSize | null | undefined {
    if (kind === 'volume') return this.#sizes.get(id) ?? (this.#volumesOf.has(cluster!) ? null : undefined)
    if (kind !== 'idle' || cluster === null) return this.#sizes.get(id)
    const reportedHour = this.#clusterHours.get(cluster)
    if (reportedHour === undefined) return undefined
    const unseenHours = reportedHour - (this.#lastHours.get(id) ?? 0)
    if (unseenHours > goneAfterHours) return null
    return unseenHours > 0 ? undefined : noSize
  }
}

const goneAfterHours = 24
