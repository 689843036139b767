import { readFileSync } from 'node:fs'
import type { BuildManifest, RefreshOutcome } from '../domain/manifest.ts'
import type { Importer } from '../importers/live/importer.ts'
import { importers } from '../importers/live/importers.ts'
import { runOnce } from '../runtime/worker-thread.ts'
import type { RefreshedCatalogue } from './provider-prices.ts'

export interface ProgressLine {
  readonly provider: string
  readonly text: string
}

interface RefreshRequest {
  /** Keys of providers, in any letter case; all that have a list if absent. */
  readonly providers?: readonly string[]
  readonly accept?: boolean
  /** Environment with credentials and alternative addresses. */
  readonly environment: Readonly<Record<string, string | undefined>>
  onProgress(line: ProgressLine): void
  readonly signal?: AbortSignal
}

interface PreparedRefresh {
  readonly providers: readonly string[]
  /** Refreshes the newest of these catalogues in its own thread. */
  run(catalogues: readonly Uint8Array[]): Promise<RefreshedCatalogue>
}

/** Thrown if a provider has no price list that can be read. The message names those that have one. */
export class NoPriceList extends Error {
  override readonly name = 'NoPriceList'
}

/**
 * Checks what a refresh needs; throws NoPriceList or RefreshConfigError before anything is fetched. Credentials are read
 * again at each run, because credential files are rotated.
 */
export function prepareRefresh(request: RefreshRequest): PreparedRefresh {
  const wanted = request.providers?.map((name) => name.toLowerCase())
  const known = importers.map(({ provider }) => provider.key)
  const unknown = wanted?.find((name) => !known.includes(name))
  if (unknown !== undefined)
    throw new NoPriceList(
      `${JSON.stringify(unknown)} has no price list that can be read; ${known.join(', ')} have`,
    )
  const chosen = importers.filter(({ provider }) => wanted?.includes(provider.key) ?? true)
  const providers = chosen.map(({ provider }) => provider.key)
  const secretsNow = () => readCredentials(chosen, request.environment)
  secretsNow()
  const endpoints = readEndpoints(importers, request.environment)
  const accept = request.accept ?? false
  return {
    providers,
    run: async (catalogues) => {
      const work = { catalogues, providers, secrets: secretsNow(), endpoints, accept }
      return refreshInThread(work, request.onProgress, request.signal)
    },
  }
}

/** The input of the refresh thread. Secrets stay in memory and are passed only to the thread. */
export interface RefreshWork {
  /** The newest of these is in force. */
  readonly catalogues: readonly Uint8Array[]
  /** Keys of providers; all that have a list if absent. */
  readonly providers?: readonly string[]
  readonly secrets: Readonly<Record<string, string>>
  readonly endpoints: Readonly<Record<string, string>>
  readonly accept: boolean
}

/**
 * Five times what is in use at once if all lists are as long as they can be. A limit also makes
 * V8 collect garbage sooner.
 */
const maxHeapMib = 1024

/** Refreshes in its own thread, because reading gigabytes and encoding a catalogue must not delay requests. */
export function refreshInThread(
  work: RefreshWork,
  onProgress: (line: ProgressLine) => void,
  signal?: AbortSignal,
): Promise<RefreshedCatalogue> {
  return runOnce({
    script: new URL('./refresh-worker.ts', import.meta.url),
    work,
    maxHeapMib,
    events: { progress: onProgress },
    seesEnvironment: false,
    ...(signal === undefined ? {} : { signal }),
  })
}

/** How the refresh of one provider ended. */
export interface ProviderOutcome {
  readonly provider: string
  readonly outcome: RefreshOutcome
  readonly reason: string
  readonly notes: readonly string[]
  readonly freshAt: string | null
  readonly offers: number
}

export function providerOutcomes({ providers }: BuildManifest, keys: readonly string[]): ProviderOutcome[] {
  return keys.map((key) => {
    const manifest = providers.find(({ provider }) => provider === key)
    const { outcome = 'failed', reason = '', notes = [], freshAt = null } = manifest?.refresh ?? {}
    return { provider: key, outcome, reason, notes, freshAt, offers: manifest?.offers ?? 0 }
  })
}

/** Logs how the refresh of each provider ended. */
export function logOutcomes(
  outcomes: readonly ProviderOutcome[],
  log: (level: 'info' | 'warn', message: string, more: Record<string, unknown>) => void,
): void {
  for (const outcome of outcomes)
    if (outcome.reason === '') log('info', 'prices were refreshed', { ...outcome })
    else log('warn', 'prices were not refreshed; the previous ones stay in use', { ...outcome })
}

type Environment = Readonly<Record<string, string | undefined>>

/**
 * Thrown if a credential file is named but cannot be read, or if an endpoint is malformed. The message names the variable
 * and the file, never the content of the file.
 */
export class RefreshConfigError extends Error {
  override readonly name = 'RefreshConfigError'
}

/**
 * Reads the credentials that importers may use: from NAME, else from the file that NAME_FILE names. They are not stored.
 */
export function readCredentials(
  importers: readonly Importer[],
  environment: Environment,
): Record<string, string> {
  const secrets: Record<string, string> = {}
  for (const { needs } of importers) {
    for (const name of [...needs.credential, ...(needs.optional?.credential ?? [])]) {
      const value = environment[name]?.trim() || fromFile(name, environment[`${name}_FILE`])
      if (value !== undefined && value !== '') secrets[name] = value
    }
  }
  return secrets
}

function fromFile(name: string, file: string | undefined): string | undefined {
  if (file === undefined || file === '') return undefined
  try {
    return readFileSync(file, 'utf8').trim()
  } catch {
    throw new RefreshConfigError(`${name}_FILE names ${file}, which cannot be read`)
  }
}

/** Parses CHEAPSIDE_PRICE_ENDPOINTS="aws.prices=https://mirror.example/aws, ...": addresses that replace the usual ones. */
export function readEndpoints(
  importers: readonly Importer[],
  environment: Environment,
): Record<string, string> {
  const known = new Set([
    'exchange.rates',
    ...importers.flatMap(({ provider, endpoints }) =>
      Object.keys(endpoints).map((name) => `${provider.key}.${name}`),
    ),
  ])
  const endpoints: Record<string, string> = {}
  for (const entry of (environment.CHEAPSIDE_PRICE_ENDPOINTS ?? '').split(',')) {
    if (entry.trim() === '') continue
    const [, name = '', url = ''] = /^\s*([^=\s]+)\s*=\s*(\S+)\s*$/.exec(entry) ?? []
    if (!known.has(name) || !/^https?:\/\/[^/]/.test(url))
      throw new RefreshConfigError(
        `CHEAPSIDE_PRICE_ENDPOINTS: ${JSON.stringify(entry.trim())} is not NAME=URL with a name of ${[...known].join(', ')}`,
      )
    endpoints[name] = url
  }
  return endpoints
}
