import { setImmediate as otherWork } from 'node:timers/promises'
import { Catalogue } from '../catalogue/catalogue.ts'
import { naturalKeyOf, type RegisteredEntry } from '../domain/marketplace.ts'
import type { KnownZone, Offer } from '../domain/offer.ts'
import type { Store } from '../store/port.ts'

/** The registered prices of an organisation, ready to be searched together with the built-in offers. */
export interface OwnPrices {
  /** None where nothing is registered. */
  readonly catalogues: readonly Catalogue[]
  readonly entries: number
  /** Another number once they change. */
  readonly version: number
  /** What was sent as raw_pricing_data with an offer, as JSON text. */
  rawOf(offer: Offer): string
}

const pageEntries = 1_000

/** Reads and builds in small steps, so that others are served meanwhile. */
export async function readOwnPrices(
  store: Pick<Store, 'marketplace'>,
  organisation: string,
  version: number,
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
      offers.push(entryToOffer(entry))
      if (entry.rawJson !== '{}') raw.set(naturalKeyOf(entry), entry.rawJson)
    }
    pages += 1
    after = page.next
    await otherWork()
  } while (after !== undefined)
  const catalogues: Catalogue[] = []
  const zones = zonesOf(offers)
  for (const part of partsOf(offers)) {
    catalogues.push(Catalogue.from(part, { id: 'own', zones }))
    await otherWork()
  }
  const rawOf = (offer: Offer): string => raw.get(naturalKeyOf(offer)) ?? '{}'
  return { prices: { catalogues, entries: offers.length, version, rawOf }, pages }
}

/** The source of every offer that a caller registered, and of no other. */
export const marketplaceSource = 'marketplace'

/** How an entry is searched and priced. */
export function entryToOffer(entry: RegisteredEntry): Offer {
  const { rawJson: _, id, createdAt, updatedAt, ...known } = entry
  return {
    ...known,
    term: '',
    architecture: '',
    gpuCount: 0,
    gpuName: '',
    monthlyCapUsd: null,
    burstableBaseline: null,
    family: '',
    source: marketplaceSource,
    day: '',
    skuIds: [id],
  }
}

/**
 * Building takes about 5 us an offer and blocks the event loop, so many offers are built in parts: 1,000 each for up to
 * 10,000 of them, 4,500 for 200,000. A type is whole in one part, which keeps the search over several parts short.
 */
function partsOf(offers: readonly Offer[]): Offer[][] {
  const parts = Math.ceil(offers.length / Math.max(1_000, 10 * Math.sqrt(offers.length)))
  const split: Offer[][] = Array.from({ length: parts }, () => [])
  for (const offer of offers) split[hashOf(offer.instanceType) % parts]!.push(offer)
  return split.filter((part) => part.length > 0)
}

/** Every part must know where a zone lies, also one that only another part's offers name. */
function zonesOf(offers: readonly Offer[]): KnownZone[] {
  const known = new Map<string, KnownZone>()
  for (const { provider, region, zone } of offers) {
    if (zone !== '') known.set([provider, region, zone].join('\n'), { provider, region, zone })
  }
  return [...known.values()]
}

/** FNV-1a, 32 bits. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return hash >>> 0
}
