import type { ChangedPrice, PriceAdjuster } from '../../catalogue/columns/adjust-columns.ts'
import type { OfferColumns } from '../../catalogue/columns/columns.ts'
import type { OperatingSystem, UsageType } from '../../domain/offer.ts'
import { changePrice, matchesName, type PriceRule } from './price-rule.ts'

/**
 * Applies rules to all prices of a catalogue. It gives the same prices as applyRules, but compares each name once: which
 * rules match a place or a family is known before the offers are visited.
 */
export class RuleAdjuster implements PriceAdjuster {
  readonly #rules: readonly PriceRule[]
  /** By rule, then by place or family: 1 if it matches. */
  readonly #inPlace: readonly Uint8Array[]
  readonly #inFamily: readonly Uint8Array[]
  /** By number: the rules that apply, in order. None apply with number 0. */
  readonly #sets: PriceRule[][] = [[]]
  /** The number that follows from a number and one rule more. */
  readonly #next = new Map<number, number>()

  /** By system and usage type: the rules that match, and whether one of them names types. */
  readonly #paidFor = new Map<string, { readonly matching: readonly number[]; readonly named: boolean }>()
  /** By the rules that match a type: the number at a place for a family. */
  readonly #known = new Map<string | readonly number[], Map<number, number>>()
  readonly #families: number

  /** All rules must be valid on the day in question. */
  constructor(rules: readonly PriceRule[], { places, machines }: Pick<OfferColumns, 'places' | 'machines'>) {
    this.#rules = rules
    this.#families = machines.families.length
    this.#inPlace = rules.map(({ provider, region }) =>
      Uint8Array.from(places, (place) =>
        Number(matchesName(provider, place.provider) && matchesName(region, place.region)),
      ),
    )
    this.#inFamily = rules.map(({ family }) =>
      Uint8Array.from(machines.families, (name) => Number(matchesName(family, name))),
    )
  }

  readonly forType: PriceAdjuster['forType'] = (instanceType, operatingSystem, usageType) => {
    const { matching: all, named } = this.#paidFor.getOrInsertComputed(
      `${operatingSystem} ${usageType}`,
      () => this.#matchingPayment(operatingSystem, usageType),
    )
    const matching = named
      ? all.filter((index) => matchesName(this.#rules[index]!.instanceType, instanceType))
      : all
    if (matching.length === 0) return undefined
    // Types with the same rules share what is known: with many rules, following them for each offer takes seconds.
    const known = this.#known.getOrInsertComputed(named ? matching.join() : all, () => new Map())
    return (place, family) =>
      known.getOrInsertComputed(place * this.#families + family, () => this.#follow(matching, place, family))
  }

  #matchingPayment(operatingSystem: OperatingSystem, usageType: UsageType) {
    const matching = this.#rules.flatMap((rule, index) =>
      (rule.operatingSystem ?? operatingSystem) === operatingSystem &&
      (rule.usageType ?? usageType) === usageType
        ? [index]
        : [],
    )
    return { matching, named: matching.some((index) => this.#rules[index]!.instanceType !== undefined) }
  }

  #follow(matching: readonly number[], place: number, family: number): number {
    let number = 0
    for (const index of matching)
      if (this.#inPlace[index]![place] === 1 && this.#inFamily[index]![family] === 1)
        number = this.#with(number, index)
    return number
  }

  change(number: number, price: ChangedPrice): ChangedPrice {
    return changePrice(this.#sets[number]!, price)
  }

  rulesOf(number: number): readonly string[] {
    return this.#sets[number]!.map(({ name }) => name)
  }

  #with(number: number, index: number): number {
    return this.#next.getOrInsertComputed(
      number * this.#rules.length + index,
      () => this.#sets.push([...this.#sets[number]!, this.#rules[index]!]) - 1,
    )
  }
}
