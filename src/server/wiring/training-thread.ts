import type { TrainingTask } from '../../decisions/train-model.ts'
import { runOnce } from '../../runtime/worker-thread.ts'
import type { StoreAddress } from '../../store/open.ts'

export interface TrainingWork extends TrainingTask {
  readonly store: StoreAddress
}

/**
 * Trains a model in another thread than that of requests, because it takes seconds, and stores it. An abort ends it at
 * once.
 */
export function trainInThread(work: TrainingWork, signal: AbortSignal): Promise<void> {
  return runOnce({ script: new URL('./training-worker.ts', import.meta.url), work, signal })
}
