import type { ModelToLearn } from '../operations/learn-sizes/learn-model.ts'
import { runOnce } from '../runtime/worker-thread.ts'
import type { StoreAddress } from '../store/open.ts'

export interface LearningWork extends ModelToLearn {
  readonly store: StoreAddress
}

/** Learns off the thread that answers requests, since it takes seconds, and keeps it in the store; an abort ends it at once. */
export function learnInThread(work: LearningWork, signal: AbortSignal): Promise<void> {
  return runOnce({ script: new URL('./learning-worker.ts', import.meta.url), work, signal })
}
