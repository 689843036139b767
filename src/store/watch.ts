import type { Changes } from './port.ts'

export interface ChangeWatch {
  /** Since the database last said what changed, and everything it said was acted upon. */
  secondsSinceRead(): number
  stop(): void
}

/**
 * Asks what changed on every hint and every `pollMs`, one asking at a time, and calls onChange for each topic that moved.
 * A topic whose onChange failed is called again at the next asking.
 */
export function watchChanges(
  changes: Changes,
  {
    pollMs,
    onChange,
    onError,
    now = () => performance.now(),
  }: {
    pollMs: number
    onChange: (topic: string) => void | Promise<void>
    onError: (error: unknown) => void
    now?: () => number
  },
): ChangeWatch {
  const seen = new Map<string, number>()
  let readAt = now()
  let asking = false
  let askAgain = false
  let stopped = false

  async function ask(): Promise<void> {
    if (asking) {
      askAgain = true
      return
    }
    asking = true
    do {
      askAgain = false
      const startedAt = now()
      try {
        for (const [topic, version] of await changes.versions()) {
          if (stopped || seen.get(topic) === version) continue
          await onChange(topic)
          seen.set(topic, version)
        }
        readAt = startedAt
      } catch (error) {
        if (!stopped) onError(error)
      }
    } while (askAgain && !stopped)
    asking = false
  }

  const timer = setInterval(() => void ask(), pollMs)
  const unsubscribe = changes.subscribe(() => void ask())
  void ask()
  return {
    secondsSinceRead: () => (now() - readAt) / 1000,
    stop: () => {
      stopped = true
      clearInterval(timer)
      unsubscribe()
    },
  }
}
