import type { ExchangeRate } from '../../domain/manifest.ts'
import { exchangeEndpoint, readExchangeRate } from './exchange-rate.ts'
import type { Validators } from './fetching/body.ts'
import { Sources, type SourcesOptions } from './fetching/sources.ts'
import type { Importer, LastGood } from './importer.ts'
import { type ImportedOffers, toOffers } from './to-offers.ts'

export interface RunOptions {
  readonly lastGood: LastGood
  /** Validators of the documents that the last good prices came from. */
  readonly validators?: Validators
  /** Addresses to ask instead of the usual ones: aws.prices, azure.prices, exchange.rates, ... */
  readonly endpoints?: Readonly<Record<string, string>>
  secret(name: string): string | undefined
  now(): number
  readonly signal?: AbortSignal
  readonly fetching?: SourcesOptions
  onProgress?(text: string): void
}

export interface Imported extends ImportedOffers {
  /** The provider says that nothing moved. */
  readonly unchanged: boolean
  readonly notes: readonly string[]
  readonly validators: Validators
  readonly bytes: number
}

/** Reads one provider's list and makes offers of it. Rejects with ImportFailure where it cannot be read whole. */
export async function runImporter(importer: Importer, options: RunOptions): Promise<Imported> {
  const { lastGood, secret, now, signal } = options
  const sources = new Sources({
    now,
    ...options.fetching,
    ...(options.validators === undefined ? {} : { known: options.validators }),
    ...(signal === undefined ? {} : { signal }),
  })
  const rates = new Map<string, Promise<ExchangeRate>>()
  const endpoint = (name: string): string =>
    trimmed(options.endpoints?.[`${importer.provider.key}.${name}`] ?? importer.endpoints[name]!)
  const exchangeAt = trimmed(options.endpoints?.['exchange.rates'] ?? exchangeEndpoint)
  const sheet = await importer.read({
    sources,
    lastGood,
    endpoint,
    secret,
    now,
    day: new Date(now()).toISOString().slice(0, 10),
    exchange: (from) => rates.getOrInsertComputed(from, () => readExchangeRate(sources, exchangeAt, from)),
    onProgress: (text) => options.onProgress?.(text),
  })
  return {
    ...toOffers(importer, sheet, lastGood),
    unchanged: sheet.prices.length === 0 && sheet.kept.length > 0,
    notes: sheet.notes,
    validators: sources.seen,
    bytes: sources.bytes,
  }
}

const trimmed = (url: string): string => url.replace(/\/+$/, '')
