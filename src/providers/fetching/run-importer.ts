import type { ExchangeRate } from '../../domain/manifest.ts'
import type { Validators } from './http/body.ts'
import { addressWithoutQuery, ImportFailure, malformed } from './http/failure.ts'
import { Sources, type SourcesOptions } from './http/sources.ts'
import type { Importer, LastGood } from './importer.ts'
import { type ImportedOffers, toOffers } from './to-offers.ts'

export interface RunOptions {
  readonly lastGood: LastGood
  /** Validators of the documents that the last good prices came from. */
  readonly validators?: Validators
  /** Addresses that replace the usual ones: aws.prices, azure.prices, exchange.rates, ... */
  readonly endpoints?: Readonly<Record<string, string>>
  secret(name: string): string | undefined
  now(): number
  readonly regions?: readonly string[]
  readonly signal?: AbortSignal
  readonly fetching?: SourcesOptions
  onProgress?(text: string): void
}

export interface Imported extends ImportedOffers {
  /** Whether the provider reported that nothing changed. */
  readonly unchanged: boolean
  readonly notes: readonly string[]
  readonly validators: Validators
  readonly bytes: number
}

/** Reads one provider's list and turns it into offers. Rejects with ImportFailure if the list cannot be read completely. */
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
  const regions = importer.isLarge && options.regions ? new Set(options.regions) : undefined
  const sheet = await importer.read({
    sources,
    regions,
    lastGood,
    endpoint,
    secret,
    now,
    day: new Date(now()).toISOString().slice(0, 10),
    exchange: (from) => rates.getOrInsertComputed(from, () => readExchangeRate(sources, exchangeAt, from)),
    onProgress: (text) => options.onProgress?.(text),
  })
  if (regions !== undefined) {
    sheet.keep(
      ({ region }) => !regions.has(region),
      `only the regions in use were read: ${[...regions].sort().join(', ')}`,
    )
  }
  sheet.exchange = (await Promise.all(rates.values())).find(({ from, to }) => from !== to)
  return {
    ...toOffers(importer, sheet, lastGood),
    unchanged: sheet.prices.length === 0 && sheet.kept.length > 0,
    notes: sheet.notes,
    validators: sources.seen,
    bytes: sources.bytes,
  }
}

const trimmed = (url: string): string => url.replace(/\/+$/, '')

const exchangeEndpoint = 'https://www.ecb.europa.eu'

/** A rate outside these bounds is a mistake, and would make every converted price wrong. */
const plausible = { EUR: [0.5, 2] } as const

/** Reads the European Central Bank's reference rate of the latest working day: US dollars for one euro. */
async function readExchangeRate(sources: Sources, base: string, from: string): Promise<ExchangeRate> {
  const url = `${base}/stats/eurofxref/eurofxref-daily.xml`
  if (from === 'USD') return { from, to: 'USD', rate: 1, day: '', source: 'itself' }
  if (from !== 'EUR') throw new ImportFailure('malformed', `there is no exchange rate for ${from}`)
  const rate = await sources.whole({ url }, (xml) => rateIn(xml, from, url))
  if (typeof rate === 'symbol') throw malformed(url, 'states nothing')
  return rate
}

function rateIn(xml: string, from: 'EUR', url: string): ExchangeRate {
  if (!/<\/(\w+:)?Envelope>\s*$/.test(xml)) {
    const cut = /<(\w+:)?Envelope/.test(xml)
    throw new ImportFailure(
      cut ? 'truncated' : 'malformed',
      `${addressWithoutQuery(url)} is ${cut ? 'cut off' : 'not a list of rates'}`,
    )
  }
  const day = /<Cube\s+time=['"](\d{4}-\d\d-\d\d)['"]/.exec(xml)?.[1]
  const rate = Number(/<Cube\s+currency=['"]USD['"]\s+rate=['"]([\d.]+)['"]/.exec(xml)?.[1] ?? Number.NaN)
  const [least, most] = plausible[from]
  if (day === undefined || !(rate >= least && rate <= most))
    throw malformed(url, 'states no plausible rate of the US dollar')
  return { from, to: 'USD', rate, day, source: 'ECB euro foreign exchange reference rate' }
}
