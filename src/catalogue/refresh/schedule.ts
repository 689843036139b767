import type { BuildManifest, ProviderManifest } from '../../domain/manifest.ts'
import { hourMs } from '../../domain/time.ts'
import { type PublishDeps, type PublishOutcome, refreshAndPublish } from './pipeline.ts'

interface RefreshJobDeps extends Omit<PublishDeps, 'refresh'> {
  /** Returns the refresh of what is due now; undefined if nothing is. */
  due(): Promise<PublishDeps['refresh'] | undefined>
  onDone(outcome: PublishOutcome): void
}

export interface RefreshJob {
  readonly name: string
  readonly everyMs: number
  run(): Promise<void>
  /** Resolves when no refresh is running, however the last one ended. */
  settled(): Promise<void>
}

/** Holds the timer: checks every few minutes whether a refresh is due, and runs one at a time. */
export function refreshJob(deps: RefreshJobDeps): RefreshJob {
  let running: Promise<void> | undefined
  const runOnce = async (): Promise<void> => {
    const refresh = await deps.due()
    if (refresh !== undefined) deps.onDone(await refreshAndPublish({ ...deps, refresh }))
  }
  return {
    name: 'refreshing prices',
    everyMs: checkIntervalMs,
    run: async () => {
      if (running !== undefined) return
      running = runOnce().finally(() => {
        running = undefined
      })
      await running
    },
    settled: async () => running?.catch(() => undefined),
  }
}

const checkIntervalMs = 600_000

const retryMs = 3 * hourMs

/**
 * Returns when the next refresh is due: `everyMs` after the last one, or after three hours if a provider failed in it and
 * that is sooner. A provider that cannot be reached is not tried sooner, because the network may be closed on purpose.
 */
export function nextRefreshAt(manifest: BuildManifest, everyMs: number): number {
  const tried = manifest.providers.flatMap(({ refresh }) => (refresh === undefined ? [] : [refresh]))
  if (tried.length === 0) return 0
  const last = Math.max(...tried.map(({ at }) => Date.parse(at)))
  const failed = tried.some(
    ({ outcome, code, at }) => outcome === 'failed' && code !== 'unreachable' && Date.parse(at) === last,
  )
  return last + (failed ? Math.min(everyMs, retryMs) : everyMs)
}

/** How old each provider's prices are, for metrics and the console. */
interface Freshness {
  readonly provider: string
  /** unreachable: the network may be closed on purpose, so this is told apart from other failures. */
  readonly outcome: NonNullable<ProviderManifest['refresh']>['outcome'] | 'unreachable' | 'never'
  readonly reason: string
  /** The newest day of a price, YYYY-MM-DD; '' if there is none. */
  readonly newestDay: string
  /** Time since the prices were last read or confirmed; null if they never were. */
  readonly ageSeconds: number | null
  readonly triedAt: string | null
}

export function freshnessOf({ providers }: BuildManifest, nowMs: number): Freshness[] {
  return providers.map(({ provider, sources, refresh }) => ({
    provider,
    outcome: refresh?.code === 'unreachable' ? refresh.code : (refresh?.outcome ?? 'never'),
    reason: refresh?.reason ?? '',
    newestDay: sources.reduce((newest, { day }) => (day > newest ? day : newest), ''),
    ageSeconds:
      refresh === undefined || refresh.freshAt === null
        ? null
        : Math.max(0, (nowMs - Date.parse(refresh.freshAt)) / 1000),
    triedAt: refresh?.at ?? null,
  }))
}
