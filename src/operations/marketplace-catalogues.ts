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

export interface MarketplaceParts {
  readonly store: Pick<Store, 'marketplace' | 'changes'>
  build(offers: readonly Offer[]): Catalogue
  /** How many entries, of all organisations together, are held at most, unless one alone has more. */
  readonly mostEntries?: number
}

const pageEntries = 2_000
const mostOrganisations = 10_000
const mostTornReadings = 3

interface Held {
  shown?: OwnPrices
  loading?: Promise<OwnPrices>
  /** A loading that has not begun: whoever asks while one is under way waits for this one. */
  next?: Promise<OwnPrices>
}

/**
 * Own prices of the organisations that asked last, read from the store when first needed and again when they move.
 * A new reading is built aside and shown in one step; readings of one organisation never overlap, so none is undone.
 */
export class MarketplaceCatalogues {
  readonly #parts: MarketplaceParts
  readonly #held = new Map<string, Held>()
  #entries = 0

  constructor(parts: MarketplaceParts) {
    this.#parts = parts
  }

  of(organisation: string): OwnPrices | Promise<OwnPrices> {
    const held = this.#held.get(organisation)
    if (held === undefined) return this.#begin(organisation, this.#hold(organisation))
    this.#held.delete(organisation)
    this.#held.set(organisation, held)
    return held.shown ?? held.loading ?? this.#begin(organisation, held)
  }

  /** Resolves when what was in the store at the call, or later, is shown. */
  async refresh(organisation: string): Promise<void> {
    const held = this.#held.get(organisation)
    if (held === undefined) return
    held.next ??= this.#afterLoading(organisation, held)
    await held.next
  }

  /** For the watch of changes: any topic may be handed in. */
  async moved(topic: string): Promise<void> {
    if (topic.startsWith(topicPrefix)) await this.refresh(topic.slice(topicPrefix.length))
  }

  /** The next asking reads anew. */
  forget(organisation: string): void {
    const held = this.#held.get(organisation)
    this.#held.delete(organisation)
    this.#entries -= held?.shown?.entries ?? 0
  }

  #hold(organisation: string): Held {
    const held: Held = {}
    this.#held.set(organisation, held)
    return held
  }

  async #afterLoading(organisation: string, held: Held): Promise<OwnPrices> {
    await held.loading?.catch(() => {})
    delete held.next
    return this.#begin(organisation, held)
  }

  #begin(organisation: string, held: Held): Promise<OwnPrices> {
    const loading = this.#load(organisation).then(
      (prices) => {
        delete held.loading
        this.#show(organisation, held, prices)
        return prices
      },
      (error: unknown) => {
        delete held.loading
        throw error
      },
    )
    held.loading = loading
    return loading
  }

  #show(organisation: string, held: Held, prices: OwnPrices): void {
    const before = held.shown?.entries ?? 0
    held.shown = prices
    if (this.#held.get(organisation) !== held) return
    this.#entries += prices.entries - before
    for (const [oldest, { shown }] of this.#held) {
      const fits =
        this.#entries <= (this.#parts.mostEntries ?? 500_000) && this.#held.size <= mostOrganisations
      if (fits || this.#held.size === 1) return
      if (oldest !== organisation && shown !== undefined) this.forget(oldest)
    }
  }

  async #load(organisation: string): Promise<OwnPrices> {
    for (let torn = 0; ; torn++) {
      const before = await this.#version(organisation)
      const { prices, pages } = await this.#read(organisation)
      // Pages read one after the other may show half of a registration that came between them.
      if (pages === 1 || torn === mostTornReadings) return prices
      if ((await this.#version(organisation)) === before) return prices
    }
  }

  async #version(organisation: string): Promise<number | undefined> {
    return (await this.#parts.store.changes.versions()).get(topicPrefix + organisation)
  }

  async #read(organisation: string): Promise<{ prices: OwnPrices; pages: number }> {
    const catalogues: Catalogue[] = []
    const raw = new Map<string, string>()
    let entries = 0
    let pages = 0
    let after: string | undefined
    do {
      const page = await this.#parts.store.marketplace.page(organisation, {
        limit: pageEntries,
        ...(after === undefined ? {} : { after }),
      })
      if (page.entries.length > 0) catalogues.push(this.#parts.build(page.entries.map(offerOf)))
      for (const entry of page.entries)
        if (entry.rawJson !== '{}') raw.set(naturalKeyOf(entry), entry.rawJson)
      entries += page.entries.length
      pages += 1
      after = page.next
      await otherWork()
    } while (after !== undefined)
    return { prices: { catalogues, entries, rawOf: (offer) => raw.get(naturalKeyOf(offer)) ?? '{}' }, pages }
  }
}

const topicPrefix = 'marketplace/'

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
