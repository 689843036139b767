import { adjustedCatalogue, type CatalogueAdjustment } from '../../catalogue/adjusted-catalogue.ts'
import type { Catalogue } from '../../catalogue/catalogue.ts'
import { type Clock, dayMs, dayOf } from '../../domain/time.ts'
import type { SettingsStore } from '../../store/port.ts'
import { isValidOn, type PriceRule } from './price-rule.ts'
import { readPriceRules, rulesTopicPrefix } from './store-rules.ts'

/** All prices of an organisation that has price rules. */
export interface RuledPrices {
  /** The offers of `listed` with the rules applied. */
  readonly catalogue: Catalogue
  readonly listed: Catalogue
  /** Those that apply on the day. */
  readonly rules: readonly PriceRule[]
}

type Adjust = (listed: Catalogue, rules: readonly PriceRule[]) => Promise<CatalogueAdjustment>

interface RuledPriceDeps {
  readonly store: { readonly settings: SettingsStore }
  readonly now: Clock
  catalogue(): Catalogue
  readonly adjust: Adjust
  /** The maximum memory of all adjusted prices together, unless one organisation alone needs more. */
  readonly maxBytes?: number
}

interface Held {
  /** Undefined before they were read. */
  rules?: readonly PriceRule[]
  prices?: RuledPrices | undefined
  /** The day on which the prices were found to apply, counted from 1970. */
  day?: number
  running?: Promise<void> | undefined
  /** A load that has not started: callers that arrive while one is running wait for this one. */
  next?: Promise<void> | undefined
}

const maxOrganisations = 10_000
const defaultMaxBytes = 256 * 2 ** 20
/** Prices, labels, order and sorted lists of an offer, and its share of what the answers encode: about 30 and 20 bytes. */
const bytesPerOffer = 50

/** Applies those of the rules that are valid on the day. */
export async function buildRuledPrices(
  listed: Catalogue,
  all: readonly PriceRule[],
  day: string,
  adjust: Adjust,
): Promise<RuledPrices> {
  const rules = validOn(all, day)
  if (rules.length === 0) return { catalogue: listed, listed, rules }
  const id = `${listed.id} ${JSON.stringify(rules)}`
  return { catalogue: adjustedCatalogue(listed, id, await adjust(listed, rules)), listed, rules }
}

const validOn = (rules: readonly PriceRule[], day: string): PriceRule[] =>
  rules.filter((rule) => isValidOn(rule, day))

/**
 * The prices of the organisations with rules that asked last. New prices are built aside, one organisation at a time, and
 * replace the old ones in one step; until then the old ones are served.
 */
export class RuledPriceCache {
  readonly #deps: RuledPriceDeps
  readonly #held = new Map<string, Held>()
  #latest: string | undefined
  #building: Promise<unknown> = Promise.resolve()

  constructor(deps: RuledPriceDeps) {
    this.#deps = deps
  }

  /** Returns undefined if the organisation has no rules. */
  readonly of = (organisation: string): RuledPrices | undefined | Promise<RuledPrices | undefined> => {
    const held = this.#touch(organisation)
    const { rules, prices } = held
    if (rules?.length === 0) return undefined
    if (prices?.listed === this.#deps.catalogue() && held.day === this.#dayNumber()) return prices
    const loaded = held.running ?? this.#load(organisation, held)
    if (prices === undefined) return loaded.then(() => held.prices)
    // The old prices are served, and the next request tries again if this fails.
    loaded.catch(() => {})
    return prices
  }

  /** Resolves when the rules that were in the store at the time of the call, or later ones, are served. */
  async refresh(organisation: string): Promise<void> {
    const held = this.#held.get(organisation)
    if (held !== undefined) await this.#load(organisation, held)
  }

  /** Called with every topic that changed. */
  async onTopicChange(topic: string): Promise<void> {
    if (topic.startsWith(rulesTopicPrefix)) await this.refresh(topic.slice(rulesTopicPrefix.length))
  }

  /** Returns the prices that rules would make, after those that others are waiting for. */
  preview(rules: readonly PriceRule[]): Promise<RuledPrices> {
    const built = this.#building.then(() =>
      buildRuledPrices(this.#deps.catalogue(), rules, dayOf(this.#deps.now()), this.#deps.adjust),
    )
    this.#building = built.catch(() => {})
    return built
  }

  forget(organisation: string): void {
    this.#held.delete(organisation)
  }

  get bytes(): number {
    return [...this.#held.values()].reduce((sum, held) => sum + bytesOf(held), 0)
  }

  #touch(organisation: string): Held {
    const known = this.#held.get(organisation)
    if (known !== undefined && organisation === this.#latest) return known
    const held = known ?? {}
    this.#held.delete(organisation)
    this.#held.set(organisation, held)
    this.#latest = organisation
    return held
  }

  #load(organisation: string, held: Held): Promise<void> {
    held.next ??= (held.running ?? Promise.resolve())
      .catch(() => {})
      .then(() => {
        held.running = held.next
        held.next = undefined
        return this.#read(organisation, held)
      })
      .finally(() => {
        held.running = undefined
      })
    return held.next
  }

  async #read(organisation: string, held: Held): Promise<void> {
    const day = this.#dayNumber()
    const rules = await readPriceRules(this.#deps.store.settings, organisation)
    if (rules.length > 0 && (held.prices === undefined || !this.#isOf(rules, held.prices))) {
      held.prices = await this.preview(rules)
    } else if (rules.length === 0) held.prices = undefined
    held.rules = rules
    held.day = day
    this.#letGo(organisation)
  }

  #isOf(rules: readonly PriceRule[], prices: RuledPrices): boolean {
    return (
      prices.listed === this.#deps.catalogue() &&
      JSON.stringify(validOn(rules, dayOf(this.#deps.now()))) === JSON.stringify(prices.rules)
    )
  }

  #dayNumber(): number {
    return Math.floor(this.#deps.now() / dayMs)
  }

  #letGo(latest: string): void {
    const { maxBytes = defaultMaxBytes } = this.#deps
    let bytes = this.bytes
    for (const [organisation, held] of this.#held) {
      if (bytes <= maxBytes && this.#held.size <= maxOrganisations) return
      if (organisation === latest || held.running !== undefined) continue
      bytes -= bytesOf(held)
      this.#held.delete(organisation)
    }
  }
}

const bytesOf = ({ prices }: Held): number =>
  prices === undefined || prices.catalogue === prices.listed ? 0 : bytesPerOffer * prices.catalogue.offerCount
