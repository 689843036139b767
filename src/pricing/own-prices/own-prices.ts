import { setImmediate as otherWork } from 'node:timers/promises'
import { Catalogue } from '../../catalogue/catalogue.ts'
import { hashName } from '../../domain/hash-name.ts'
import { naturalKeyOf, type RegisteredEntry } from '../../domain/marketplace.ts'
import type { KnownZone, Offer } from '../../domain/offer.ts'
import { Cache } from '../../runtime/cache.ts'
import type { Store } from '../../store/port.ts'

/** The registered prices of an organisation, ready to be searched together with the built-in offers. */
export interface OwnPrices {
  readonly catalogues: readonly Catalogue[]
  readonly entries: number
  readonly version: number
  /** What was sent as raw_pricing_data with an offer, as JSON text. */
  rawOf(offer: Offer): string
}

interface OwnPriceDeps {
  readonly store: Pick<Store, 'marketplace' | 'changes'>
  /** The maximum number of entries of all organisations together, unless one organisation alone has more. */
  readonly maxEntries?: number
}

const topicPrefix = 'marketplace/'
const maxOrganisations = 10_000
const maxTornReadings = 3

interface OwnReading {
  readonly prices: OwnPrices
  /** The prices are those of the topic at this version or a later one. */
  readonly version: number | undefined
}

/**
 * The own prices of the organisations that asked last. They are read from the store when first needed and again when they
 * change. New prices are built aside and replace the old ones in one step.
 */
export class OwnPriceCache {
  readonly #store: OwnPriceDeps['store']
  readonly #kept: Cache<OwnReading>

  constructor({ store, maxEntries = 500_000 }: OwnPriceDeps) {
    this.#store = store
    this.#kept = new Cache({
      maxCount: maxOrganisations,
      maxSize: maxEntries,
      sizeOf: ({ prices }) => prices.entries,
    })
  }

  readonly of = (organisation: string): OwnPrices | Promise<OwnPrices> =>
    this.#kept.get(organisation)?.prices ??
    this.#kept.load(organisation, (before) => this.#load(organisation, before)).then(({ prices }) => prices)

  /** Resolves when the prices that were in the store at the time of the call, or later ones, are served. */
  async refresh(organisation: string): Promise<void> {
    if (this.#kept.has(organisation))
      await this.#kept.reload(organisation, (before) => this.#load(organisation, before))
  }

  async onTopicChange(topic: string): Promise<void> {
    if (topic.startsWith(topicPrefix)) await this.refresh(topic.slice(topicPrefix.length))
  }

  forget(organisation: string): void {
    this.#kept.delete(organisation)
  }

  async #load(organisation: string, before: OwnReading | undefined): Promise<OwnReading> {
    for (let torn = 0; ; torn++) {
      const version = await this.#version(organisation)
      if (before !== undefined && before.version === version) return before
      const { prices, pages } = await readOwnPrices(this.#store, organisation, version ?? 0)
      // Pages that are read one after the other may show half of a registration that happened between them.
      if (pages === 1 || torn === maxTornReadings) return { prices, version }
      if ((await this.#version(organisation)) === version) return { prices, version }
    }
  }

  async #version(organisation: string): Promise<number | undefined> {
    return (await this.#store.changes.versions()).get(topicPrefix + organisation)
  }
}

const pageEntries = 1_000

/** Reads and builds in small steps, so that other requests are served in between. */
async function readOwnPrices(store: Pick<Store, 'marketplace'>, organisation: string, version: number) {
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
  for (const offer of offers) split[hashName(offer.instanceType) % parts]!.push(offer)
  return split.filter((part) => part.length > 0)
}

/**
 * Returns the zones of all offers. Every part must know where a zone lies, even one that only
 * offers of another part name.
 */
function zonesOf(offers: readonly Offer[]): KnownZone[] {
  const known = new Map<string, KnownZone>()
  for (const { provider, region, zone } of offers) {
    if (zone !== '') known.set([provider, region, zone].join('\n'), { provider, region, zone })
  }
  return [...known.values()]
}
