import type { DemoLoad } from '../operations/load-demo/load-demo.ts'
import { runOnce } from '../runtime/run-once.ts'

export interface DemoWork {
  readonly dataFolder: string
  readonly databaseUrl: string
  /** Milliseconds since 1970. */
  readonly now: number
}

/** Loads the demo off the thread that answers requests, since it takes seconds; an abort ends it at once. */
export function loadDemoInThread(work: DemoWork, signal: AbortSignal): Promise<DemoLoad> {
  return runOnce({ script: new URL('./demo-worker.ts', import.meta.url), work, signal })
}
