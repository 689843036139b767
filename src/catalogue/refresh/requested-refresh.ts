import { type PublishDeps, refreshAndPublish } from './pipeline.ts'
import { logOutcomes, type ProviderOutcome, prepareRefresh, providerOutcomes } from './prepare.ts'

interface RequestedRefreshDeps extends Omit<PublishDeps, 'refresh'> {
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly enabled: readonly string[]
  readonly recordTo?: string | undefined
  log(level: 'info' | 'warn', message: string, more?: Record<string, unknown>): void
  reportError(level: 'error', message: string, error: unknown): void
}

export interface RefreshStatus {
  /** 'elsewhere': another process is refreshing the prices, so this one did not. */
  readonly state: 'none' | 'running' | 'done' | 'elsewhere' | 'failed'
  readonly startedAt: number | null
  readonly finishedAt: number | null
  readonly providers: readonly string[]
  /** The latest progress line of each provider that was begun, in order. */
  readonly progress: readonly { readonly provider: string; readonly text: string }[]
  readonly outcomes: readonly ProviderOutcome[]
}

export class AlreadyRefreshing extends Error {
  override readonly name = 'AlreadyRefreshing'
}

/** Refreshes that an operator requests from a running service; one at a time, published to all nodes. */
export class RequestedRefresh {
  readonly #deps: RequestedRefreshDeps
  readonly #stopping = new AbortController()
  readonly #progress = new Map<string, string>()
  #status: Omit<RefreshStatus, 'progress'> = {
    state: 'none',
    startedAt: null,
    finishedAt: null,
    providers: [],
    outcomes: [],
  }
  #running: Promise<void> | undefined

  constructor(deps: RequestedRefreshDeps) {
    this.#deps = deps
  }

  /** Starts a refresh. Throws AlreadyRefreshing, NoPriceList or RefreshConfigError; later failures are in the status. */
  start(request: { providers?: readonly string[]; accept: boolean }): RefreshStatus {
    if (this.#running !== undefined) throw new AlreadyRefreshing('a refresh is under way on this node')
    const { environment, enabled, recordTo, log, now } = this.#deps
    const prepared = prepareRefresh({
      ...request,
      environment,
      enabled,
      recordTo,
      signal: this.#stopping.signal,
      onProgress: ({ provider, text }) => {
        log('info', 'refreshing prices', { provider, text })
        this.#progress.set(provider, text)
      },
    })
    this.#progress.clear()
    const { providers } = prepared
    this.#status = { state: 'running', startedAt: now(), finishedAt: null, providers, outcomes: [] }
    this.#running = this.#run(prepared).finally(() => {
      this.#running = undefined
    })
    return this.status()
  }

  status(): RefreshStatus {
    const progress = Array.from(this.#progress, ([provider, text]) => ({ provider, text }))
    return { ...this.#status, progress }
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#running
  }

  async #run({ run, providers }: ReturnType<typeof prepareRefresh>): Promise<void> {
    const { log, reportError, now } = this.#deps
    try {
      const result = await refreshAndPublish({ ...this.#deps, refresh: run })
      const isDone = result.kind !== 'elsewhere'
      const outcomes = isDone ? providerOutcomes(result.refreshed.manifest, providers) : []
      logOutcomes(outcomes, log)
      this.#status = { ...this.#status, state: isDone ? 'done' : 'elsewhere', finishedAt: now(), outcomes }
    } catch (error) {
      if (!this.#stopping.signal.aborted) reportError('error', 'refreshing prices failed', error)
      this.#status = { ...this.#status, state: 'failed', finishedAt: now() }
    }
  }
}
