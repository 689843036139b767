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
  /** Null: it runs no more. */
  see(id: string, size: AdvisedSize | null): void
  /** Whatever is not seen on a cluster that is seen does not exist any more. */
  seeCluster(cluster: string): void
}
