import type { BuildManifest } from '../domain/manifest.ts'
import { nextRefreshAt } from './freshness.ts'
import { refreshAndPublish } from './pipeline.ts'
import type { PublishDeps, PublishOutcome } from './publish.ts'

interface RefreshJobDeps extends PublishDeps {
  /** Refers to the catalogue that this node serves, whichever node refreshed it. */
  served(): BuildManifest
  /** From one refresh to the next. */
  readonly betweenMs: number
  onDone(outcome: PublishOutcome): void
}

interface RefreshJob {
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
