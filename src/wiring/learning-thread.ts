import { runOnce } from '../runtime/run-once.ts'
import type { StoreAddress } from '../store/open.ts'
import type { HourRange } from '../usage/reading/pod-usage.ts'

export interface LearningWork {
  readonly organisation: string
  readonly store: StoreAddress
  readonly hours: HourRange
  readonly mostSeries: number
  /** Training time in milliseconds since 1970, stored in the model. */
  readonly learntAt: number
}

/** Learns off the thread that answers requests, since it takes seconds, and keeps it in the store; an abort ends it at once. */
export function learnInThread(work: LearningWork, signal: AbortSignal): Promise<void> {
  return runOnce({ script: new URL('./learning-worker.ts', import.meta.url), work, signal })
}
