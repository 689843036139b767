import type { MachineDescription } from '../../catalogue/facts/schema.ts'
import { roundHourly } from '../../domain/money.ts'
import type { FoundType } from '../../domain/need.ts'
import type { Offer, PriceSourceKind } from '../../domain/offer.ts'
import { type Rates, type Size, splitPrice } from '../current-offer.ts'
import { noSavings, savingsBetween } from './savings.ts'
import type { InstancePricing, RawPricingData, Savings } from './schema.ts'

export interface ResultItem<Pricing = InstancePricing> {
  readonly instance_pricing: Pricing
  readonly vm: { readonly cpu_cores: number; readonly ram_gb: number } | null
  readonly savings: Savings
}

/** Labels with their items, `base` first. This is a list because an object would put the label "4" before `base`. */
export type RecommendationResult<Pricing = InstancePricing> = readonly (readonly [
  label: string,
  items: readonly ResultItem<Pricing>[],
])[]

/** Turns an offer into what the answer shows. The size is used if the price list does not know it. */
type PricingOf<Pricing> = (offer: Offer, size: Size, facts: OfferFacts) => Pricing

export interface OfferFacts {
  displayName(offer: Offer): string
  /** Returns the rates of the offer's family, or null if its prices do not determine them. */
  ratesOf(offer: Offer): Rates | null
  readonly rawOf?: (offer: Offer) => RawPricingData
}

/** `vm` is the size of the current instance as the caller gives it. It is used if the price list does not know the size. */
export function buildResult(
  current: Offer,
  vm: Size,
  found: readonly FoundType[],
  facts: OfferFacts,
): RecommendationResult {
  return buildResultOf(current, vm, found, facts, instancePricing)
}

export function buildResultOf<Pricing>(
  current: Offer,
  vm: Size,
  found: readonly FoundType[],
  facts: OfferFacts,
  pricingOf: PricingOf<Pricing>,
): RecommendationResult<Pricing> {
  const base: ResultItem<Pricing> = {
    instance_pricing: pricingOf(current, vm, facts),
    vm: null,
    savings: noSavings,
  }
  const answer: [string, ResultItem<Pricing>[]][] = [['base', [base]]]
  for (const { instanceType, offers } of found) {
    const items = offers.flatMap((offer) => itemOf(current, offer, facts, pricingOf))
    if (items.length > 0) answer.push([instanceType, items])
  }
  return answer
}

export function instancePricing(offer: Offer, vm: Size, facts: OfferFacts): InstancePricing {
  const machine = {
    vcpus: offer.vcpus ?? vm.vcpus,
    ramGib: offer.ramGib ?? vm.ramGib,
    gpuCount: offer.gpuCount,
  }
  const rates = splitPrice(offer.pricePerHourUsd, machine, facts.ratesOf(offer))
  return {
    cpu_cores_cost_per_hour: roundHourly(rates.corePerHourUsd),
    ram_gb_cost_per_hour: roundHourly(rates.gibPerHourUsd),
    cost_per_hour: roundHourly(offer.pricePerHourUsd),
    usage_type: offer.usageType,
    instance_type: offer.instanceType,
    region: offer.region,
    provider: facts.displayName(offer),
    service: offer.service,
    operating_system: offer.operatingSystem,
    availability_zone: offer.zone,
    ...(facts.rawOf === undefined ? {} : { raw_pricing_data: facts.rawOf(offer) }),
  }
}

/** Returns no item for an offer of unknown size or one that saves nothing. */
function itemOf<Pricing>(current: Offer, offer: Offer, facts: OfferFacts, pricingOf: PricingOf<Pricing>) {
  const savings = savingsBetween(current, offer)
  if (savings === null || offer.vcpus === null || offer.ramGib === null) return []
  const vm = { cpu_cores: offer.vcpus, ram_gb: offer.ramGib }
  return [
    {
      instance_pricing: pricingOf(offer, { vcpus: offer.vcpus, ramGib: offer.ramGib }, facts),
      vm,
      savings,
    },
  ]
}

export function rawPricingData(
  offer: Offer,
  machine: MachineDescription,
  priceSource: PriceSourceKind,
  registered?: unknown,
): RawPricingData {
  return {
    term: offer.term || null,
    architecture: offer.architecture || null,
    gpu: offer.gpuCount > 0 ? { count: offer.gpuCount, name: offer.gpuName } : null,
    burstable_baseline: offer.burstableBaseline,
    monthly_cap: offer.monthlyCapUsd,
    sku_ids: offer.skuIds ?? [],
    source: offer.source,
    day: offer.day || null,
    price_source: priceSource,
    ...(offer.priceRules === undefined ? {} : { price_rules: offer.priceRules }),
    ...machine,
    ...(registered === undefined ? {} : { registered }),
  }
}
