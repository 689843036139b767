import type { NodePriceSource } from '../allocation/nodes.ts'
import { searchAll } from '../catalogue/catalogue.ts'
import { comparabilityOf } from '../domain/comparability.ts'
import { monthUsd, round, roundHourly, roundSum } from '../domain/money.ts'
import { parseArchitecture } from '../domain/names.ts'
import type { Predicates } from '../domain/need.ts'
import type { Offer } from '../domain/offer.ts'
import { confidenceOfDays, minMeasuredHours } from '../domain/recommendation.ts'
import type { Amount, SizeBand } from '../machine-usage/machine.ts'
import { examinedTypes, fasterFirst } from '../market/comparison/faster-first.ts'
import { maxWorthwhilePriceRatio } from '../market/comparison/options.ts'
import { currentTraits } from '../market/find-current.ts'
import type { Market, PricingDeps } from '../market/market.ts'
import { scopeOf } from '../market/need.ts'
import { offerFactsFor, offerNotes } from '../market/offer-facts.ts'
import { onlyProviderOf } from '../market/price-node.ts'
import type { MachinePrice, ReportedMachine } from '../market/reported-machine.ts'
import { chooseCurrent } from '../pricing/current-offer.ts'
import { monthlyPrice } from '../pricing/savings.ts'

/** A replacement for a machine. Savings are negative if everything that is large enough costs more. */
export interface RehostTarget {
  readonly provider: string
  readonly region: string
  readonly availabilityZone: string
  readonly instanceType: string
  readonly usageType: string
  readonly cpuCores: number
  readonly ramGb: number
  readonly costPerHour: number
  readonly savingsPerHour: number | null
  readonly savingsPerMonth: number | null
}

/**
 * The cheapest instances of sufficient size, or faster ones that cost nearly the same, with the usage type of the
 * machine.
 */
export interface Rehost {
  readonly currentCostPerHour: number | null
  /** The cost of 730 hours, at most the monthly cap of its price. */
  readonly currentCostPerMonth: number | null
  readonly anywhere: RehostTarget | null
  readonly sameRegion: RehostTarget | null
  readonly priceSource: NodePriceSource
  readonly priceDate: string | null
  /**
   * The size that the machine must have, with memory for the operating system, and the range in which it is likely to be.
   */
  readonly needed: { readonly cpuCores: NeededBand; readonly ramGb: NeededBand }
  /** 0 to 1; 0 without enough evidence. */
  readonly confidence: number
  /** Why there is no recommendation, in plain words; otherwise empty. */
  readonly reasons: readonly string[]
  /** What to know before acting: that the machine sends no data, or that its type will end or has ended. */
  readonly notes: readonly string[]
}

interface NeededBand {
  readonly lowerBound: number
  readonly recommended: number
  readonly upperBound: number
}

const viewBand = ({ target, lower, upper }: SizeBand, read: (amount: Amount) => number): NeededBand => ({
  lowerBound: round(read(lower), 6),
  recommended: round(read(target), 6),
  upperBound: round(read(upper), 6),
})

export function rehost(
  deps: PricingDeps,
  market: Market,
  machine: {
    readonly facts: ReportedMachine
    readonly price: MachinePrice
    /** Why the machine is priced at base rates; absent if it has a price. */
    readonly whyUnpriced?: string
  },
  band: SizeBand,
  { meanCores, measuredHours }: { readonly meanCores: number; readonly measuredHours: number },
): Rehost {
  const { facts, price } = machine
  const { target: size } = band
  const current = currentOffer(deps, market, facts)
  const architecture = current?.architecture || parseArchitecture(facts.architecture)
  const { displayName } = offerFactsFor(deps, market, false)
  const perMonthUsd = cappedMonthUsd(price, current)
  const best = (where: Predicates): Offer | undefined => {
    const found = searchAll([market.catalogue, ...market.own.catalogues], {
      vcpus: size.cores,
      ramGib: size.gib,
      sustainedVcpus: meanCores,
      operatingSystem: facts.operatingSystem,
      gpu: { count: current?.gpuCount ?? 0, name: current?.gpuName ?? '' },
      belowPerHourUsd: Number.POSITIVE_INFINITY,
      belowPerMonthUsd: Number.POSITIVE_INFINITY,
      ...rulesOf(market, current, { usageTypes: [facts.usageType], ...where }),
      ...(architecture ? { architectures: [architecture] } : {}),
      limit: examinedTypes,
      offersPerType: 1,
    })
    return bestOffer(
      found.flatMap(({ offers }) => offers),
      price,
      current,
    )
  }
  const target = (offer: Offer | undefined): RehostTarget | null =>
    offer === undefined ? null : rehostTargetOf(offer, displayName(offer), price, perMonthUsd)
  const reasons = missingEvidence(machine.whyUnpriced, measuredHours)
  const isEnough = reasons.length === 0
  const here = current && { providers: [current.provider], regions: [current.region] }
  const sameRegion = here && isEnough ? best(here) : undefined
  const anywhere = isEnough ? cheaperOf(sameRegion, best({})) : undefined
  return {
    currentCostPerHour: price.perHourUsd === null ? null : roundHourly(price.perHourUsd),
    currentCostPerMonth: perMonthUsd === null ? null : roundSum(perMonthUsd),
    anywhere: target(anywhere),
    sameRegion: target(sameRegion),
    priceSource: price.source,
    priceDate: price.day ?? null,
    needed: {
      cpuCores: viewBand(band, ({ cores }) => cores),
      ramGb: viewBand(band, ({ gib }) => gib),
    },
    confidence: isEnough ? round(confidenceOfDays(measuredHours / 24), 3) : 0,
    reasons,
    notes: current === undefined ? [] : offerNotes(current),
  }
}

function missingEvidence(whyUnpriced: string | undefined, measuredHours: number): string[] {
  return [
    ...(measuredHours < minMeasuredHours
      ? [
          `Too little data: the machine was measured for ${measuredText(measuredHours)}, and at least ${minMeasuredHours} hours are needed.`,
        ]
      : []),
    ...(whyUnpriced === undefined ? [] : [whyUnpriced]),
  ]
}

function measuredText(hours: number): string {
  const [count, unit] = hours < 1 ? [Math.round(hours * 60), 'minute'] : [Math.floor(hours), 'hour']
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}

/** The replacement of a machine on a price list must be comparable and, unless it stays in its region, nearby. */
function rulesOf({ catalogue }: Market, current: Offer | undefined, predicates: Predicates) {
  if (current === undefined) return { predicates }
  const limits = { predicates, architectures: undefined, lifted: new Set<never>() }
  return {
    comparableTo: comparabilityOf(currentTraits(catalogue, current), false),
    ...scopeOf(catalogue, current, limits),
  }
}

/**
 * Returns the first offer in the order of comparisons. As there, offers that cost a percent less than the machine come
 * first; without any, those that cost no more; otherwise the cheapest is returned.
 */
function bestOffer(
  offers: readonly Offer[],
  { perHourUsd }: MachinePrice,
  current: Offer | undefined,
): Offer | undefined {
  if (current === undefined || perHourUsd === null) return offers[0]
  for (const maxUsd of [maxWorthwhilePriceRatio * perHourUsd, perHourUsd]) {
    const within = offers.filter(({ pricePerHourUsd }) => pricePerHourUsd <= maxUsd)
    if (within.length > 0) return fasterFirst(current, within)[0]
  }
  return offers[0]
}

/** Another place must cost a percent less than the region of the machine, because nobody moves data for nothing. */
const cheaperOf = (sameRegion: Offer | undefined, anywhere: Offer | undefined): Offer | undefined =>
  sameRegion && anywhere && monthlyPrice(anywhere) > maxWorthwhilePriceRatio * monthlyPrice(sameRegion)
    ? sameRegion
    : anywhere

function rehostTargetOf(
  offer: Offer,
  provider: string,
  { perHourUsd }: MachinePrice,
  perMonthUsd: number | null,
): RehostTarget {
  return {
    provider,
    region: offer.region,
    availabilityZone: offer.zone,
    instanceType: offer.instanceType,
    usageType: offer.usageType,
    cpuCores: offer.vcpus!,
    ramGb: offer.ramGib!,
    costPerHour: roundHourly(offer.pricePerHourUsd),
    savingsPerHour: perHourUsd === null ? null : roundHourly(perHourUsd - offer.pricePerHourUsd),
    savingsPerMonth: perMonthUsd === null ? null : roundSum(perMonthUsd - monthlyPrice(offer)),
  }
}

/** Returns what a machine costs per month, at most the provider's monthly cap; null if its price is not known. */
export const machineMonthUsd = (
  deps: PricingDeps,
  market: Market,
  facts: ReportedMachine,
  price: MachinePrice,
): number | null => cappedMonthUsd(price, currentOffer(deps, market, facts))

const cappedMonthUsd = ({ perHourUsd }: MachinePrice, current: Offer | undefined): number | null =>
  perHourUsd === null ? null : monthUsd(perHourUsd, current?.monthlyCapUsd ?? null)

/** Returns the offer of the machine on a price list, or undefined if none has it. */
function currentOffer(deps: PricingDeps, market: Market, facts: ReportedMachine): Offer | undefined {
  const reported = deps.findProvider(facts.provider)?.key ?? facts.provider
  const provider = reported || (onlyProviderOf(deps, market.catalogue, facts)?.key ?? '')
  const offers = [...market.own.catalogues, market.catalogue].flatMap((catalogue) =>
    catalogue.offersOf({ ...facts, provider }),
  )
  return chooseCurrent(offers, facts)
}
