import type { BuildManifest } from '../../domain/manifest.ts'
import type { KnownZone, Offer } from '../../domain/offer.ts'
import { zonesOfOffers } from '../describe-offers.ts'
import { factsFiles, ProviderFacts } from './provider-facts.ts'
import { factColumns } from './row.ts'
import { readSidecars } from './sidecars.ts'
import { readCsvTable } from './table.ts'

export { FactsError } from './table.ts'

interface PriceFacts {
  /** Offers without the quarantined ones, by provider in the order of the list, then in the order of the files. */
  readonly offers: Offer[]
  readonly zones: KnownZone[]
  readonly manifest: BuildManifest
}

export interface ReadFactsOptions {
  /** RFC 3339; passed in so that the same input gives the same output. */
  readonly builtAt: string
  /** Keys of the providers to read; all that have facts if absent. */
  readonly providers?: readonly string[]
  /** What is known about a type's accelerators, which takes precedence over the prices; undefined if nothing is known. */
  acceleratorOf?(provider: string, instanceType: string): { count: number; model: string } | undefined
  onProgress?(line: { readonly provider: string; readonly rows: number; readonly offers: number }): void
}

/** Reads a directory of price facts. Throws FactsError if a file is missing, damaged or has another header: all or nothing. */
export async function readFacts(directory: string, options: ReadFactsOptions): Promise<PriceFacts> {
  const files = factsFiles.filter(({ provider }) => options.providers?.includes(provider.key) ?? true)
  const sidecars = await readSidecars(directory)
  const offers: Offer[] = []
  const zones: KnownZone[] = []
  const providers: BuildManifest['providers'][number][] = []
  for (const file of files) {
    const facts = new ProviderFacts(file, (type) => options.acceleratorOf?.(file.provider.key, type))
    await readCsvTable(directory, file.provider.key, factColumns, (fields) => facts.add(fields))
    const read = facts.finish(sidecars, (await file.expand?.(directory)) ?? new Map())
    for (const offer of read.offers) offers.push(offer)
    const listed = (await file.zones?.(directory)) ?? []
    for (const zone of zonesOfOffers(file.provider, read.offers, listed)) zones.push(zone)
    providers.push(read.manifest)
    options.onProgress?.({
      provider: file.provider.key,
      rows: read.manifest.rows,
      offers: read.offers.length,
    })
  }
  return { offers, zones, manifest: { builtAt: options.builtAt, exchange: sidecars.exchange, providers } }
}
