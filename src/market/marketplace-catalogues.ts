import type { Store } from '../store/port.ts'
import { type OwnPrices, readOwnPrices } from './own-prices.ts'

interface MarketplaceParts {
  readonly store: Pick<Store, 'marketplace' | 'changes'>
  /** How many entries, of all organisations together, are held at most, unless one alone has more. */
  readonly mostEntries?: number
}

const topicPrefix = 'marketplace/'
const mostOrganisations = 10_000
const mostTornReadings = 3

interface Reading {
  readonly prices: OwnPrices
  /** They are those of the topic at this version, or later. */
  readonly version: number | undefined
}

interface Held {
  shown?: OwnPrices
  version?: number | undefined
  loading?: Promise<OwnPrices>
  /** A load that has not started: callers that arrive while one is running wait for this one. */
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
  /** Moves it to the end of the cached catalogues. */
  #latest: string | undefined

  constructor(parts: MarketplaceParts) {
    this.#parts = parts
  }

  readonly of = (organisation: string): OwnPrices | Promise<OwnPrices> => {
    const held = this.#held.get(organisation)
    if (held === undefined) return this.#begin(organisation, this.#hold(organisation))
    if (organisation !== this.#latest) {
      this.#latest = organisation
      this.#held.delete(organisation)
      this.#held.set(organisation, held)
    }
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

  /** The next request reloads it. */
  forget(organisation: string): void {
    const held = this.#held.get(organisation)
    this.#held.delete(organisation)
    this.#entries -= held?.shown?.entries ?? 0
  }

  #hold(organisation: string): Held {
    const held: Held = {}
    this.#held.set(organisation, held)
    this.#latest = organisation
    return held
  }

  async #afterLoading(organisation: string, held: Held): Promise<OwnPrices> {
    do await held.loading?.catch(() => {})
    while (held.loading !== undefined)
    delete held.next
    return this.#begin(organisation, held)
  }

  #begin(organisation: string, held: Held): Promise<OwnPrices> {
    const loading = this.#load(organisation, held).then(
      (reading) => {
        delete held.loading
        this.#show(organisation, held, reading)
        return reading.prices
      },
      (error: unknown) => {
        delete held.loading
        throw error
      },
    )
    held.loading = loading
    return loading
  }

  #show(organisation: string, held: Held, { prices, version }: Reading): void {
    const before = held.shown?.entries ?? 0
    held.shown = prices
    held.version = version
    if (this.#held.get(organisation) !== held) return
    this.#entries += prices.entries - before
    for (const [oldest, { shown }] of this.#held) {
      const fits =
        this.#entries <= (this.#parts.mostEntries ?? 500_000) && this.#held.size <= mostOrganisations
      if (fits || this.#held.size === 1) return
      if (oldest !== organisation && shown !== undefined) this.forget(oldest)
    }
  }

  async #load(organisation: string, held: Held): Promise<Reading> {
    for (let torn = 0; ; torn++) {
      const version = await this.#version(organisation)
      if (held.shown !== undefined && held.version === version) return { prices: held.shown, version }
      const { prices, pages } = await readOwnPrices(this.#parts.store, organisation, version ?? 0)
      // Pages read one after the other may show half of a registration that came between them.
      if (pages === 1 || torn === mostTornReadings) return { prices, version }
      if ((await this.#version(organisation)) === version) return { prices, version }
    }
  }

  async #version(organisation: string): Promise<number | undefined> {
    return (await this.#parts.store.changes.versions()).get(topicPrefix + organisation)
  }
}
