import { createHash } from 'node:crypto'
import type { RecommendationKind } from '../../../domain/recommendation.ts'
import type { Recommendation, SubjectSize } from '../schema.ts'

export interface RecommendationRow {
  readonly recommendation: Recommendation
  /** US dollars per month, not rounded, so that sums agree with those of namespaces. */
  readonly worth: number
  /** The id of the recommendation to remove the whole workload or machine, if this one is part of it. */
  readonly coveredBy: string | null
  /** Whether commitments have to do with what it changes. */
  readonly isCommitted?: boolean
}

/** Receives every subject that has usage, whether or not there is a recommendation for it. */
export interface SubjectObserver {
  see(id: string, size: SubjectSize): void
  seeVolume(id: string, cluster: string, size: SubjectSize): void
  /** Receives a workload by the id of its removal, and the hour since 1970 in which it was last seen. */
  seeWorkload(id: string, cluster: string, lastHour: number): void
}

/**
 * Returns 96 bits of a hash over the kind and the names of the subject, so an id is the same on every node and after
 * every computation.
 */
export const recommendationId = (kind: RecommendationKind, ...names: readonly string[]): string =>
  createHash('sha256')
    .update(JSON.stringify([kind, ...names]))
    .digest('hex')
    .slice(0, 24)

/** Keeps only the items of greatest worth, whether they save or cost, so that memory is bounded. */
export class TopRows<Item extends { readonly worth: number }> {
  readonly #most: number
  #items: Item[] = []
  #dropped = 0
  #droppedWorth = 0

  constructor(most: number) {
    this.#most = most
  }

  add(item: Item): void {
    this.#items.push(item)
    if (this.#items.length >= 2 * this.#most) this.#cut()
  }

  addDropped({ count, worth }: DroppedListRows): void {
    this.#dropped += count
    this.#droppedWorth += worth
  }

  get items(): readonly Item[] {
    this.#cut()
    return this.#items
  }

  get dropped(): DroppedListRows {
    this.#cut()
    return { count: this.#dropped, worth: this.#droppedWorth }
  }

  #cut(): void {
    if (this.#items.length <= this.#most) return
    this.#items.sort((a, b) => Math.abs(b.worth) - Math.abs(a.worth))
    for (const { worth } of this.#items.splice(this.#most)) this.addDropped({ count: 1, worth })
  }
}

export interface DroppedListRows {
  readonly count: number
  readonly worth: number
}

export const noSize: SubjectSize = {
  cpu_cores: null,
  cpu_limit_cores: null,
  memory_gib: null,
  memory_limit_gib: null,
  provider: null,
  region: null,
  instance_type: null,
}
