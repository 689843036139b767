import type { BuildManifest } from '../domain/manifest.ts'
import {
  nextRefreshAt,
  type PublishDeps,
  type PublishOutcome,
  refreshAndPublish,
} from './refresh-and-publish.ts'

export interface RefreshJobDeps extends PublishDeps {
  /** Of the catalogue that is served, on this node, wherever it was refreshed. */
  served(): BuildManifest
  /** From one refresh to the next. */
  readonly betweenMs: number
  onDone(outcome: PublishOutcome): void
}

/** One thing holds the timer: this looks every few minutes whether a refresh is due, and lets one run at a time. */
export function refreshJob(deps: RefreshJobDeps): { name: string; everyMs: number; run(): Promise<void> } {
  let running = false
  return {
    name: 'refreshing prices',
    everyMs: lookMs,
    run: async () => {
      if (running || deps.now() < nextRefreshAt(deps.served(), deps.betweenMs)) return
      running = true
      try {
        deps.onDone(await refreshAndPublish(deps))
      } finally {
        running = false
      }
    },
  }
}

const lookMs = 600_000
