import { setTimeout as pause } from 'node:timers/promises'
import type { RefreshOutcome } from '../../../domain/manifest.ts'
import type { ProviderOutcome } from '../../../refresh/prepare.ts'
import { type Call, CommandFailure } from '../../command.ts'
import type { RemoteService } from '../../server.ts'

/** The answer of /admin/prices/refresh. */
interface RefreshAnswer {
  readonly state: 'none' | 'running' | 'done' | 'elsewhere' | 'failed'
  readonly started_at: string
  readonly requested: readonly string[]
  readonly progress: readonly { readonly provider: string; readonly text: string }[]
  readonly providers: readonly ProviderResult[]
}

interface ProviderResult {
  readonly provider: string
  readonly outcome: RefreshOutcome
  readonly reason: string
  readonly notes: readonly string[]
  readonly fresh_at: string | null
  readonly offers: number
}

interface ServedCatalogue {
  readonly id: string
  readonly built_at: string
  readonly providers: readonly {
    readonly provider_key: string
    readonly offers: number
    readonly refresh: (Omit<ProviderResult, 'provider' | 'offers'> & { readonly at: string }) | null
  }[]
}

/** Requests a refresh from a service and shows its progress until its outcome is served. */
export async function refreshOnServer(server: RemoteService, call: Call) {
  const started = await server.ask<RefreshAnswer>('/admin/prices/refresh', {
    body: { ...(call.values.provider && { providers: call.values.provider }), accept: call.values.accept },
  })
  const shown = new Map<string, string>()
  let seenAt = performance.now()
  for (;;) {
    const status = await server.ask<RefreshAnswer>('/admin/prices/refresh')
    // Another node may have answered, which does not know this refresh. Published prices are served by all nodes.
    if (status.started_at === started.started_at) {
      seenAt = performance.now()
      for (const { provider, text } of status.progress) {
        if (shown.get(provider) !== text) call.err(provider === '' ? text : `${provider}: ${text}`)
        shown.set(provider, text)
      }
      if (status.state === 'elsewhere')
        throw new CommandFailure('another node is currently refreshing the prices')
      if (status.state === 'failed')
        throw new CommandFailure('the refresh failed; see the log of the service')
    }
    const served = await server.ask<ServedCatalogue>('/catalogue')
    const recorded = resultsOf(served, started)
    // If no list was read, the date stays, and only the outcomes of the providers are new.
    if (recorded.length > 0 || Date.parse(served.built_at) >= Date.parse(started.started_at)) {
      const isHere = status.started_at === started.started_at
      const results = isHere ? status.providers : recorded
      if (!isHere || status.state === 'done')
        return { id: served.id, builtAt: served.built_at, outcomes: results.map(outcomeOf) }
    }
    if (performance.now() - seenAt > maxUnseenMs)
      throw new CommandFailure(
        'the service no longer knows this refresh and has not published new prices; it may have been restarted',
      )
    await pause(pollMs)
  }
}

/** The results of this refresh as recorded in the served catalogue. */
function resultsOf(
  { providers }: ServedCatalogue,
  { requested, started_at }: RefreshAnswer,
): ProviderResult[] {
  return providers.flatMap(({ provider_key: provider, refresh, offers }) => {
    if (refresh === null || !requested.includes(provider)) return []
    const { at, ...result } = refresh
    return Date.parse(at) < Date.parse(started_at) ? [] : [{ ...result, provider, offers }]
  })
}

const outcomeOf = ({ fresh_at, ...result }: ProviderResult): ProviderOutcome => ({
  ...result,
  freshAt: fresh_at,
})

const pollMs = 500
/** Longer than a refresh of all providers takes. */
const maxUnseenMs = 30 * 60_000
