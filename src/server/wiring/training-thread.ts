import type { TrainingTask } from '../../decisions/train-model.ts'
import { runOnce } from '../../runtime/worker-thread.ts'
import type { StoreAddress } from '../../store/open.ts'

export interface TrainingWork extends TrainingTask {
  readonly store: StoreAddress
}

/** Training takes seconds, so it has another thread than that of requests. An abort ends it at once. */
export function trainInThread(work: TrainingWork, signal: AbortSignal): Promise<void> {
  return runOnce({ script: new URL('./training-worker.ts', import.meta.url), work, signal })
}

export interface DecidingWork {
  readonly store: StoreAddress
  readonly organisation: string
  /** Milliseconds since 1970. */
  readonly now: number
}

/** Decides the sizes of an organisation in another thread than that of requests. An abort ends it at once. */
export function decideInThread(work: DecidingWork, signal: AbortSignal): Promise<void> {
  return runOnce({ script: new URL('./deciding-worker.ts', import.meta.url), work, signal })
}
