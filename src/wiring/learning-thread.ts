import type { ModelToLearn } from '../operations/learn-model.ts'
import { runOnce } from '../runtime/worker-thread.ts'
import type { StoreAddress } from '../store/open.ts'

export interface LearningWork extends ModelToLearn {
  readonly store: StoreAddress
}

/**
 * Trains a model in another thread than that of requests, because it takes seconds, and stores it. An abort ends it at
 * once.
 */
export function learnInThread(work: LearningWork, signal: AbortSignal): Promise<void> {
  return runOnce({ script: new URL('./learning-worker.ts', import.meta.url), work, signal })
}
