import { adjustedCatalogue, type CatalogueAdjustment } from '../../catalogue/adjusted-catalogue.ts'
import type { Catalogue } from '../../catalogue/catalogue.ts'
import { type Clock, dayMs, dayOf } from '../../domain/time.ts'
import { Cache } from '../../runtime/cache.ts'
import type { SettingsStore } from '../../store/port.ts'
import { isValidOn, type PriceRule } from './price-rule.ts'
import { readPriceRules, rulesTopicPrefix } from './store-rules.ts'

export interface RuledPrices {
  readonly catalogue: Catalogue
  readonly listed: Catalogue
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

interface RulesReading {
  readonly rules: readonly PriceRule[]
  readonly prices: RuledPrices | undefined
  /** The day on which the prices were found to apply, counted from 1970. */
  readonly day: number
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
  readonly #kept: Cache<RulesReading>
  #building: Promise<unknown> = Promise.resolve()

  constructor(deps: RuledPriceDeps) {
    this.#deps = deps
    const { maxBytes: maxSize = defaultMaxBytes } = deps
    this.#kept = new Cache({ maxCount: maxOrganisations, maxSize, sizeOf: bytesOf })
  }

  /** Returns undefined if the organisation has no rules. */
  readonly of = (organisation: string): RuledPrices | undefined | Promise<RuledPrices | undefined> => {
    const { rules, prices, day } = this.#kept.get(organisation) ?? {}
    if (rules?.length === 0) return undefined
    if (prices?.listed === this.#deps.catalogue() && day === this.#dayNumber()) return prices
    const loaded = this.#kept.load(organisation, (before) => this.#read(organisation, before))
    if (prices === undefined) return loaded.then((read) => read.prices)
    // The old prices are served, and the next request tries again if this fails.
    loaded.catch(() => {})
    return prices
  }

  /** Resolves when the rules that were in the store at the time of the call, or later ones, are served. */
  async refresh(organisation: string): Promise<void> {
    if (this.#kept.has(organisation))
      await this.#kept.reload(organisation, (before) => this.#read(organisation, before))
  }

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
    this.#kept.delete(organisation)
  }

  async #read(organisation: string, before: RulesReading | undefined): Promise<RulesReading> {
    const day = this.#dayNumber()
    const rules = await readPriceRules(this.#deps.store.settings, organisation)
    if (rules.length === 0) return { rules, prices: undefined, day }
    const isKnown = before?.prices !== undefined && this.#isOf(rules, before.prices)
    return { rules, prices: isKnown ? before.prices : await this.preview(rules), day }
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
}

const bytesOf = ({ prices }: RulesReading): number =>
  prices === undefined || prices.catalogue === prices.listed ? 0 : bytesPerOffer * prices.catalogue.offerCount
