import { readFileSync } from 'node:fs'
import type { BuildManifest, RefreshOutcome } from '../../domain/manifest.ts'
import type { Backoff } from '../../providers/fetching/http/failure.ts'
import type { Importer } from '../../providers/fetching/importer.ts'
import { importers } from '../../providers/importers.ts'
import { runOnce } from '../../runtime/worker-thread.ts'
import type { ProgressLine, RefreshedCatalogue } from './provider-prices.ts'

interface RefreshRequest extends Pick<RefreshWork, 'regions' | 'maxTotalBytes' | 'recordTo' | 'backoff'> {
  /** Keys of providers, in any letter case; those that are on by default or enabled if absent. */
  readonly providers?: readonly string[]
  readonly enabled?: readonly string[]
  readonly accept?: boolean
  /** Environment with credentials and alternative addresses. */
  readonly environment: Readonly<Record<string, string | undefined>>
  onProgress(line: ProgressLine): void
  readonly signal?: AbortSignal
}

interface PreparedRefresh {
  readonly providers: readonly string[]
  run(catalogues: readonly Uint8Array[]): Promise<RefreshedCatalogue>
}

/** Thrown if a provider has no price list that can be read. The message names those that have one. */
export class NoPriceList extends Error {
  override readonly name = 'NoPriceList'
}

/** Throws before anything is fetched. Credentials are read again at each run, because credential files are rotated. */
export function prepareRefresh(request: RefreshRequest): PreparedRefresh {
  const chosen = importersOf(request.providers, request.enabled)
  const providers = chosen.map(({ provider }) => provider.key)
  const secretsNow = () => readCredentials(chosen, request.environment)
  secretsNow()
  const endpoints = readEndpoints(importers, request.environment)
  const accept = request.accept ?? false
  return {
    providers,
    run: async (catalogues) => {
      const { regions, maxTotalBytes, recordTo, backoff } = request
      const parts = { regions, maxTotalBytes, recordTo, backoff }
      const work = { catalogues, providers, secrets: secretsNow(), endpoints, accept, ...parts }
      return refreshInThread(work, request.onProgress, request.signal)
    },
  }
}

/** By name, in any letter case, or else those that are on by default or turned on. Throws NoPriceList. */
export function importersOf(names?: readonly string[], enabled: readonly string[] = []): readonly Importer[] {
  const known = importers.map(({ provider }) => provider.key)
  const wanted = names?.map((name) => name.toLowerCase())
  const unknown = wanted?.find((name) => !known.includes(name))
  if (unknown !== undefined)
    throw new NoPriceList(
      `${JSON.stringify(unknown)} has no price list that can be read; ${known.join(', ')} have`,
    )
  return importers.filter(
    ({ provider: { key, onByDefault } }) => wanted?.includes(key) ?? (onByDefault || enabled.includes(key)),
  )
}

/** The input of the refresh thread. Secrets stay in memory and are passed only to the thread. */
export interface RefreshWork {
  readonly catalogues: readonly Uint8Array[]
  readonly providers: readonly string[]
  readonly secrets: Readonly<Record<string, string>>
  readonly endpoints: Readonly<Record<string, string>>
  readonly accept: boolean
  /** The only regions to read of large lists, by provider; all if undefined. */
  readonly regions?: Readonly<Record<string, readonly string[]>> | undefined
  /** How many bytes may be read of one provider; any number if undefined. */
  readonly maxTotalBytes?: number | undefined
  readonly recordTo?: string | undefined
  readonly backoff?: Backoff | undefined
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

export function logOutcomes(
  outcomes: readonly ProviderOutcome[],
  log: (level: 'info' | 'warn', message: string, more: Record<string, unknown>) => void,
): void {
  for (const outcome of outcomes)
    if (outcome.reason === '') log('info', 'prices were refreshed', { ...outcome })
    else log('warn', 'prices were not refreshed; the previous ones stay in use', { ...outcome })
}

type Environment = Readonly<Record<string, string | undefined>>

/** The message names the variable and the file, never the content of the file. */
export class RefreshConfigError extends Error {
  override readonly name = 'RefreshConfigError'
}

/** From NAME, else from the file that NAME_FILE names. They are not stored. */
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
