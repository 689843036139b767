import type { BuildManifest } from '../../domain/manifest.ts'
import type { Backoff } from '../../providers/fetching/http/failure.ts'
import type { PublishDeps } from './pipeline.ts'
import { logOutcomes, prepareRefresh, providerOutcomes } from './prepare.ts'
import { dueLists, priceLists } from './price-lists.ts'
import type { ProgressLine } from './provider-prices.ts'
import { type RefreshJob, refreshJob } from './schedule.ts'

interface AutomaticRefreshDeps extends Omit<PublishDeps, 'refresh'> {
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly enabled: readonly string[]
  readonly hours: number
  readonly maxBytes: number
  readonly backoff?: Backoff
  readonly signal: AbortSignal
  /** Returns the manifest of the catalogue that this node serves, whichever node refreshed it. */
  served(): BuildManifest
  readonly allRegions: boolean
  /** Returns the regions in use, by provider; undefined if nothing is to be refreshed now. */
  regionsInUse(): Promise<ReadonlyMap<string, ReadonlySet<string>> | undefined>
  log(level: 'info' | 'warn', message: string, more?: Record<string, unknown>): void
}

/** Refreshes by itself what can be read without anybody's help, and says little where the network is closed. */
export function automaticRefresh(deps: AutomaticRefreshDeps): RefreshJob {
  const { environment, enabled, hours, allRegions, maxBytes, signal, log } = deps
  const listsNow = () => {
    const { providers } = deps.served()
    const noteOf = (key: string) => providers.find(({ provider }) => provider === key)?.refresh
    return priceLists({ environment, enabled, hours, allRegions, noteOf })
  }
  // Reports what is wrong with the configuration at the start.
  listsNow()
  let refreshed: readonly string[] = []
  return refreshJob({
    ...deps,
    due: async () => {
      const inUse = await deps.regionsInUse()
      if (inUse === undefined) return undefined
      const due = dueLists(listsNow(), deps.served(), inUse, deps.now())
      if (due.length === 0) return undefined
      const prepared = prepareRefresh({
        providers: due.map(({ provider }) => provider),
        environment,
        regions: allRegions
          ? undefined
          : Object.fromEntries(Array.from(inUse, ([key, regions]) => [key, [...regions]])),
        maxTotalBytes: maxBytes,
        backoff: deps.backoff,
        signal,
        onProgress: (line) => logProgress(line, log),
      })
      refreshed = prepared.providers
      return prepared.run
    },
    onDone: (outcome) => {
      if (outcome.kind !== 'elsewhere') logRefresh(outcome.refreshed.manifest, refreshed, log)
    },
  })
}

/** Failures are in the outcomes, which are logged at the end. */
function logProgress({ isFailure, ...line }: ProgressLine, log: AutomaticRefreshDeps['log']): void {
  if (isFailure !== true) log('info', 'refreshing prices', line)
}

function logRefresh(manifest: BuildManifest, providers: readonly string[], log: AutomaticRefreshDeps['log']) {
  const notes = manifest.providers.filter(({ provider }) => providers.includes(provider))
  const isClosed = notes.length > 0 && notes.every(({ refresh }) => refresh?.code === 'unreachable')
  if (isClosed)
    log('info', 'price lists cannot be reached from here; the previous prices stay in use', { providers })
  else logOutcomes(providerOutcomes(manifest, providers), log)
}
