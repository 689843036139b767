import { setImmediate as otherWork } from 'node:timers/promises'
import type { Catalogue } from '../catalogue/catalogue.ts'
import { type MarketplaceEntry, naturalKeyOf } from '../domain/marketplace.ts'
import type { Offer } from '../domain/offer.ts'
import type { Store } from '../store/port.ts'

/** What an organisation registered, ready to be searched beside the built-in offers. */
export interface OwnPrices {
  /** None where nothing is registered. */
  readonly catalogues: readonly Catalogue[]
  readonly entries: number
  /** What was sent as raw_pricing_data with an offer, as JSON text. */
  rawOf(offer: Offer): string
}

export interface ReadingParts {
  readonly store: Pick<Store, 'marketplace'>
  build(offers: readonly Offer[]): Catalogue
}

const pageEntries = 1_000

/** Reads and builds in small steps, so that others are served meanwhile. */
export async function readOwnPrices(
  { store, build }: ReadingParts,
  organisation: string,
): Promise<{ prices: OwnPrices; pages: number }> {
  const offers: Offer[] = []
  const raw = new Map<string, string>()
  let pages = 0
  let after: string | undefined
  do {
    const page = await store.marketplace.page(organisation, {
      limit: pageEntries,
      ...(after === undefined ? {} : { after }),
    })
    for (const entry of page.entries) {
      offers.push(offerOf(entry))
      if (entry.rawJson !== '{}') raw.set(naturalKeyOf(entry), entry.rawJson)
    }
    pages += 1
    after = page.next
    await otherWork()
  } while (after !== undefined)
  const catalogues: Catalogue[] = []
  for (const part of partsOf(offers)) {
    catalogues.push(build(part))
    await otherWork()
  }
  const rawOf = (offer: Offer): string => raw.get(naturalKeyOf(offer)) ?? '{}'
  return { prices: { catalogues, entries: offers.length, rawOf }, pages }
}

/** The source of every offer that a caller registered, and of no other. */
export const ownSource = 'marketplace'

/** How an entry is searched and priced. */
export function offerOf(entry: MarketplaceEntry): Offer {
  const { rawJson: _, ...known } = entry
  return {
    ...known,
    term: '',
    architecture: '',
    gpuCount: 0,
    gpuName: '',
    monthlyCapUsd: null,
    burstableBaseline: null,
    family: '',
    source: ownSource,
    day: '',
  }
}

/**
 * Building takes about 5 us an offer and lets nobody else in, so many offers are built in parts: 1,000 each for up to
 * 10,000 of them, 4,500 for 200,000. A type is whole in one part, which keeps the search over several parts short.
 */
function partsOf(offers: readonly Offer[]): Offer[][] {
  const parts = Math.ceil(offers.length / Math.max(1_000, 10 * Math.sqrt(offers.length)))
  const split: Offer[][] = Array.from({ length: parts }, () => [])
  for (const offer of offers) split[hashOf(offer.instanceType) % parts]!.push(offer)
  return split.filter((part) => part.length > 0)
}

/** FNV-1a, 32 bits. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return hash >>> 0
}
