import { runInWorker } from '../runtime/run-once.ts'
import type { RefreshedCatalogue } from './refresh-catalogue.ts'

/** What a refresh needs to know; secrets stay in memory and go nowhere but to the thread. */
export interface RefreshWork {
  /** The newest of these is the current catalogue. */
  readonly catalogues: readonly Uint8Array[]
  /** Keys; all that have a list unless given. */
  readonly providers?: readonly string[]
  readonly secrets: Readonly<Record<string, string>>
  readonly endpoints: Readonly<Record<string, string>>
  readonly accept: boolean
}

export interface ProgressLine {
  readonly provider: string
  readonly text: string
}

/** Five times what is in use at once, were all lists as long as they can be; a bound also lets garbage be collected sooner. */
const maxHeapMib = 1024

/** Refreshes in a separate thread, because reading gigabytes and packing a catalogue must not block requests. */
export function refreshInThread(
  work: RefreshWork,
  onProgress: (line: ProgressLine) => void,
  signal?: AbortSignal,
): Promise<RefreshedCatalogue> {
  return runInWorker(new URL('./refresh-worker.ts', import.meta.url), {
    work,
    maxHeapMib,
    onMessage: onProgress,
    ...(signal === undefined ? {} : { signal }),
  })
}
