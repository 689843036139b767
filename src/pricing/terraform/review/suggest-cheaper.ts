import { hoursPerMonth, monthUsd, roundSum } from '../../../domain/money.ts'
import { NotFound } from '../../../domain/not-found.ts'
import type { Offer } from '../../../domain/offer.ts'
import type { ReplacementScope } from '../../../domain/planned-instance.ts'
import { withSystemMemory } from '../../../domain/recommendation.ts'
import { type Effort, nameOf } from '../../compare/comparison.ts'
import { OfferWriter } from '../../compare/offer-writer.ts'
import { optionsFor } from '../../compare/options.ts'
import type { ComparedCandidate } from '../../compare/schema.ts'
import { needToReplace, needWithin, type ReplacementNeed } from '../../find-cheaper.ts'
import type { Market, PricingDeps } from '../../market.ts'
import type { Suggestion } from './schema.ts'

export interface SuggestOptions {
  /** What suggestions may change; by default only the size or type. */
  readonly efforts: readonly Effort[]
  /** Number of suggestions for each effort; for commitments, for each term. */
  readonly suggestions: number
  readonly hours: number
  readonly today: string
}

export interface NeededSize {
  readonly cpu_cores: number
  readonly ram_gb: number
}

/** Finds cheaper comparable machines. Equal machines are compared once. */
export class CheaperFinder {
  readonly #deps: PricingDeps
  readonly #market: Market
  readonly #options: SuggestOptions
  readonly #found = new Map<string, readonly { effort: Effort; offer: ComparedCandidate }[]>()

  constructor(deps: PricingDeps, market: Market, options: SuggestOptions) {
    this.#deps = deps
    this.#market = market
    this.#options = options
  }

  /**
   * Returns suggestions for `count` machines of type `current`, which has index `replaces` among the machines of its
   * resource. `within` limits where they may be.
   */
  suggest(
    current: Offer,
    count: number,
    replaces: number,
    size: NeededSize | null,
    within?: ReplacementScope,
  ): Suggestion[] {
    if (this.#options.suggestions === 0 || count === 0) return []
    const { hours } = this.#options
    const cost = monthUsd(current.pricePerHourUsd, current.monthlyCapUsd, hours)
    return this.#candidates(current, size, within).flatMap(({ effort, offer }): Suggestion[] => {
      const hourly = offer.cost_per_hour
      const isCapped = offer.cost_per_month < roundSum(hourly * hoursPerMonth)
      // A commitment is paid even while the machine does not run.
      const paidHours = offer.usage_type === 'RESERVED' ? hoursPerMonth : hours
      const monthly = monthUsd(hourly, isCapped ? offer.cost_per_month : null, paidHours)
      const saved = cost - monthly
      if (!(roundSum(saved * count) > 0)) return []
      return [
        {
          replaces,
          effort,
          ...nameOf(offer),
          term: offer.term,
          cpu_cores: offer.vm?.cpu_cores ?? null,
          ram_gb: offer.vm?.ram_gb ?? null,
          count,
          cost_per_hour: hourly,
          cost_per_month: roundSum(monthly * count),
          price_day: offer.price.day,
          price_source: offer.price.price_source,
          ...(offer.price.price_rules && { price_rules: offer.price.price_rules }),
          savings_per_month: roundSum(saved * count),
          savings_percentage: roundSum((100 * saved) / cost),
          changes: offer.machine.changes ?? [],
          sized_for: size,
        },
      ]
    })
  }

  #candidates(current: Offer, size: NeededSize | null, within: ReplacementScope | undefined) {
    const { provider, region, zone, instanceType, operatingSystem, usageType, term } = current
    const key = JSON.stringify([
      ...[provider, region, zone, instanceType, operatingSystem, usageType, term],
      ...[size, within],
    ])
    return this.#found.getOrInsertComputed(key, () => this.#compare(current, size, within))
  }

  #compare(current: Offer, size: NeededSize | null, within: ReplacementScope | undefined) {
    const need = needFor(this.#market, current, size, within)
    if (need === undefined) return []
    const { efforts, suggestions, today } = this.#options
    const writer = new OfferWriter(this.#deps, this.#market, current, today)
    return optionsFor(this.#deps, this.#market, current, need, writer, {
      efforts,
      anywhere: efforts.includes('anywhere'),
      offersPerEffort: suggestions,
    }).flatMap(({ effort, offers }) => offers.map((offer) => ({ effort, offer })))
  }
}

/**
 * Without a measured size, a replacement must be at least as large as the current machine. Returns undefined if that
 * size is unknown as well.
 */
function needFor(
  { catalogue }: Market,
  current: Offer,
  size: NeededSize | null,
  within: ReplacementScope | undefined,
): ReplacementNeed | undefined {
  const { vcpus, ramGib } = current
  if (vcpus === null || ramGib === null) return undefined
  const asked = needToReplace(catalogue, current, {
    size: {
      vcpus: size?.cpu_cores ?? vcpus,
      ramGib: size === null ? ramGib : withSystemMemory(size.ram_gb, ramGib),
    },
    sustainedVcpus: size?.cpu_cores ?? vcpus * (current.burstableBaseline ?? 1),
  })
  if (asked instanceof NotFound) return undefined
  return within === undefined ? asked.need : needWithin(within, current, asked.need)
}
