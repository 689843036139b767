import { hoursPerMonth, round } from '../../domain/money.ts'
import type { Offer, OperatingSystem, UsageType } from '../../domain/offer.ts'
import { matchesPattern } from '../../domain/text.ts'

/** One agreed difference from list prices. Patterns are in lower case; undefined matches everything. */
export interface PriceRule {
  readonly name: string
  readonly provider: string | undefined
  readonly region: string | undefined
  readonly family: string | undefined
  readonly instanceType: string | undefined
  readonly usageType: UsageType | undefined
  readonly operatingSystem: OperatingSystem | undefined
  readonly change: PriceRuleChange
  /** First and last day, YYYY-MM-DD. */
  readonly validFrom: string | undefined
  readonly validUntil: string | undefined
}

export type PriceRuleChange =
  | { readonly kind: 'percent'; readonly percentOff: number }
  | { readonly kind: 'price'; readonly perHourUsd: number }
  | { readonly kind: 'add'; readonly perHourUsd: number }

export type RuleSubject = Pick<
  Offer,
  | 'provider'
  | 'region'
  | 'family'
  | 'instanceType'
  | 'usageType'
  | 'operatingSystem'
  | 'pricePerHourUsd'
  | 'monthlyCapUsd'
>

export interface AdjustedPrice extends ListedPriceAndCap {
  /** Names of the rules that apply, in order; empty if it is the list price. */
  readonly rules: readonly string[]
}

/**
 * Applies to a list price all rules that match it, in order: 1.00, 9% off, then 0.02 added -> 0.93. The fast twin for all
 * prices at once is rule-adjuster.ts.
 */
export function applyRules(rules: readonly PriceRule[], offer: RuleSubject, day: string): AdjustedPrice {
  const matching = rules.filter((rule) => isValidOn(rule, day) && matchesOffer(rule, offer))
  return { ...changePrice(matching, offer), rules: matching.map(({ name }) => name) }
}

export function ruledOffer(rules: readonly PriceRule[], offer: Offer): Offer {
  const matching = rules.filter((rule) => matchesOffer(rule, offer))
  if (matching.length === 0) return offer
  return { ...offer, ...changePrice(matching, offer), priceRules: matching.map(({ name }) => name) }
}

export const isValidOn = ({ validFrom, validUntil }: PriceRule, day: string): boolean =>
  (validFrom === undefined || validFrom <= day) && (validUntil === undefined || day <= validUntil)

export function matchesOffer(rule: PriceRule, offer: RuleSubject): boolean {
  return (
    (rule.usageType === undefined || rule.usageType === offer.usageType) &&
    (rule.operatingSystem === undefined || rule.operatingSystem === offer.operatingSystem) &&
    matchesName(rule.provider, offer.provider) &&
    matchesName(rule.region, offer.region) &&
    matchesName(rule.family, offer.family) &&
    matchesName(rule.instanceType, offer.instanceType)
  )
}

export const matchesName = (pattern: string | undefined, name: string): boolean =>
  pattern === undefined || matchesPattern(pattern, name.toLowerCase())

/**
 * Applies the changes in order. What a month costs at most changes with the price, by a percentage in the same proportion;
 * an agreed price has no such cap. No price falls below zero, rises above a million, or has digits that only binary fractions
 * have.
 */
export function changePrice(
  rules: readonly PriceRule[],
  { pricePerHourUsd, monthlyCapUsd }: ListedPriceAndCap,
): ListedPriceAndCap {
  let [price, cap] = [pricePerHourUsd, monthlyCapUsd]
  for (const { change } of rules) {
    if (change.kind === 'price') [price, cap] = [change.perHourUsd, null]
    else if (change.kind === 'percent') {
      price *= 1 - change.percentOff / 100
      if (cap !== null) cap *= 1 - change.percentOff / 100
    } else {
      price = Math.max(0, price + change.perHourUsd)
      if (cap !== null) cap = Math.max(0, cap + hoursPerMonth * change.perHourUsd)
    }
  }
  return {
    pricePerHourUsd: Math.min(round(price, 9), maxPricePerHourUsd),
    monthlyCapUsd: cap === null ? null : Math.min(round(cap, 6), hoursPerMonth * maxPricePerHourUsd),
  }
}

/** Two hundred surcharges of a thousand percent would make numbers that sums of costs cannot hold. */
const maxPricePerHourUsd = 1e6

export type ListedPriceAndCap = Pick<Offer, 'pricePerHourUsd' | 'monthlyCapUsd'>
