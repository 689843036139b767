import type { BuildManifest, ProviderManifest } from '../domain/manifest.ts'
import { type PublishDeps, type PublishOutcome, refreshAndPublish } from './pipeline.ts'

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

const retryMs = 3 * 3_600_000

/** When the next refresh is due: a day after the last, or a few hours after one in which a provider could not be reached. */
export function nextRefreshAt(manifest: BuildManifest, everyMs: number): number {
  const tried = manifest.providers.flatMap(({ refresh }) => (refresh === undefined ? [] : [refresh]))
  if (tried.length === 0) return 0
  const last = Math.max(...tried.map(({ at }) => Date.parse(at)))
  const failed = tried.some(({ outcome, at }) => outcome === 'failed' && Date.parse(at) === last)
  return last + (failed ? Math.min(everyMs, retryMs) : everyMs)
}

/** How old each provider's prices are, for metrics and the console. */
interface Freshness {
  readonly provider: string
  readonly outcome: NonNullable<ProviderManifest['refresh']>['outcome'] | 'never'
  readonly reason: string
  /** The newest day of a price, YYYY-MM-DD; '' where there is none. */
  readonly newestDay: string
  /** Since the prices were last taken or confirmed; null where that never happened. */
  readonly ageSeconds: number | null
  readonly triedAt: string | null
}

export function freshnessOf({ providers }: BuildManifest, nowMs: number): Freshness[] {
  return providers.map(({ provider, sources, refresh }) => ({
    provider,
    outcome: refresh?.outcome ?? 'never',
    reason: refresh?.reason ?? '',
    newestDay: sources.reduce((newest, { day }) => (day > newest ? day : newest), ''),
    ageSeconds:
      refresh === undefined || refresh.freshAt === null
        ? null
        : Math.max(0, (nowMs - Date.parse(refresh.freshAt)) / 1000),
    triedAt: refresh?.at ?? null,
  }))
}
