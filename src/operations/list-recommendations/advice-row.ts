import type { Advice, AdvisedSize } from '../../domain/recommendation.ts'

/** A recommendation while the list is made. */
export interface AdviceRow {
  readonly advice: Advice
  /** US dollars per month, not rounded, so that sums agree with those of namespaces. */
  readonly worth: number
  /** The id of the recommendation to remove the whole workload or machine, which this one is part of. */
  readonly coveredBy: string | null
}

/** Is shown every subject that has usage, whether or not something is recommended for it. */
export interface SubjectObserver {
  see(id: string, size: AdvisedSize): void
  /** A workload by the id of its removal, and the hour since 1970 in which it was last seen. */
  seeWorkload(id: string, cluster: string, lastHour: number): void
}
