import type { BuildManifest } from '../domain/manifest.ts'
import { nextRefreshAt, type PublishDeps, type PublishOutcome, refreshAndPublish } from './publish.ts'

export interface RefreshJobDeps extends PublishDeps {
  /** Manifest of the catalogue that this node serves, wherever it was refreshed. */
  served(): BuildManifest
  /** From one refresh to the next. */
  readonly betweenMs: number
  onDone(outcome: PublishOutcome): void
}

export interface RefreshJob {
  readonly name: string
  readonly everyMs: number
  run(): Promise<void>
  /** When none runs, however the last one ended. */
  settled(): Promise<void>
}

/** Holds the timer: checks every few minutes whether a refresh is due, and runs one at a time. */
export function refreshJob(deps: RefreshJobDeps): RefreshJob {
  let running: Promise<PublishOutcome> | undefined
  return {
    name: 'refreshing prices',
    everyMs: lookMs,
    run: async () => {
      if (running !== undefined || deps.now() < nextRefreshAt(deps.served(), deps.betweenMs)) return
      running = refreshAndPublish(deps)
      try {
        deps.onDone(await running)
      } finally {
        running = undefined
      }
    },
    settled: async () => void (await running?.catch(() => undefined)),
  }
}

const lookMs = 600_000
