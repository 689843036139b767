import { setTimeout as pause } from 'node:timers/promises'
import { StoreUnavailable } from './port.ts'

/** Retries until the database is available; any other failure ends it. Waits 0.2 s, then longer, up to 3 s. */
export async function retryUntilOpen<T>(
  attemptIt: () => Promise<T>,
  onWait: (error: StoreUnavailable, attempt: number) => void,
  signal: AbortSignal,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await attemptIt()
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error
      onWait(error, attempt)
      await pause(Math.min(3000, 100 * 2 ** attempt), undefined, { signal })
    }
  }
}
