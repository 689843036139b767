import type { ChangedPrice, PriceAdjuster } from '../../catalogue/columns/adjust-columns.ts'
import type { OfferColumns } from '../../catalogue/columns/columns.ts'
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

  /** All rules must be valid on the day in question. */
  constructor(rules: readonly PriceRule[], { places, machines }: Pick<OfferColumns, 'places' | 'machines'>) {
    this.#rules = rules
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
    const matching = this.#rules.flatMap((rule, index) =>
      (rule.operatingSystem ?? operatingSystem) === operatingSystem &&
      (rule.usageType ?? usageType) === usageType &&
      matchesName(rule.instanceType, instanceType)
        ? [index]
        : [],
    )
    if (matching.length === 0) return undefined
    return (place, family) => {
      let number = 0
      for (const index of matching)
        if (this.#inPlace[index]![place] === 1 && this.#inFamily[index]![family] === 1)
          number = this.#with(number, index)
      return number
    }
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
