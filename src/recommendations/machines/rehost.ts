import type { Amount, SizeBand } from '../../decisions/processes/size-process.ts'
import { dollars, hoursPerMonth, round, roundHourly, roundSum } from '../../domain/money.ts'
import { parseArchitecture } from '../../domain/names.ts'
import { NotFound } from '../../domain/not-found.ts'
import type { Offer } from '../../domain/offer.ts'
import { confidenceOfDays, minMeasuredHours } from '../../domain/recommendation.ts'
import { savingSentence } from '../../pricing/answer/commitment-texts.ts'
import { monthlyPrice } from '../../pricing/answer/savings.ts'
import type { CommittedSaving } from '../../pricing/commitments/schema.ts'
import { type CommittedMachine, committedFirst } from '../../pricing/compare/committed-first.ts'
import { examinedTypes, fasterFirst } from '../../pricing/compare/faster-first.ts'
import { maxWorthwhilePriceRatio } from '../../pricing/compare/options.ts'
import { findCheaper, needToReplace, needWithin, type ReplacementNeed } from '../../pricing/find-cheaper.ts'
import type { Market, PricingDeps } from '../../pricing/market.ts'
import { offerFactsFor, offerNotes } from '../../pricing/offer-facts.ts'
import type { MachinePrice, ReportedMachine } from '../../pricing/reported-machine.ts'
import type { Rehost, RehostTarget } from './schema.ts'

const viewBand = ({ target, lower, upper }: SizeBand, read: (amount: Amount) => number) => ({
  lowerBound: round(read(lower), 6),
  recommended: round(read(target), 6),
  upperBound: round(read(upper), 6),
})

interface PricedMachine {
  readonly facts: ReportedMachine
  readonly price: MachinePrice
  /** Why the machine is priced at base rates; absent if it has a price. */
  readonly whyUnpriced?: string
  readonly committed?: CommittedMachine | undefined
}

export type FoundRehost = Omit<Rehost, 'options'>

const hourlyOf = (saving: CommittedSaving | undefined): number | undefined =>
  saving && saving.saves_per_month / hoursPerMonth

export function rehost(
  deps: PricingDeps,
  market: Market,
  machine: PricedMachine,
  band: SizeBand,
  measuredHours: number,
): FoundRehost {
  const { price } = machine
  const { offer: current, perHourUsd, perMonthUsd } = price
  const { displayName } = offerFactsFor(deps, market, false)
  const target = (offer: Offer | undefined): RehostTarget | null =>
    offer === undefined
      ? null
      : rehostTargetOf(offer, displayName(offer), price, machine.committed?.saving(offer))
  const leaving = machine.committed?.saving()
  const reasons = missingEvidence(machine.whyUnpriced, measuredHours)
  const isEnough = reasons.length === 0
  const { sameRegion, anywhere } = isEnough ? bestOffers(market, machine, band.target) : {}
  return {
    currentCostPerHour: perHourUsd === null ? null : roundHourly(hourlyOf(leaving) ?? perHourUsd),
    currentCostPerMonth: perMonthUsd === null ? null : (leaving?.saves_per_month ?? roundSum(perMonthUsd)),
    anywhere: target(anywhere),
    sameRegion: target(sameRegion),
    priceSource: leaving === undefined ? price.source : 'commitment',
    ...(price.priceRules === undefined ? {} : { priceRules: price.priceRules }),
    priceDate: price.day ?? null,
    ...(leaving && { commitments: leaving }),
    needed: {
      cpuCores: viewBand(band, ({ cores }) => cores),
      ramGb: viewBand(band, ({ gib }) => gib),
    },
    confidence: isEnough ? round(confidenceOfDays(measuredHours / 24), 3) : 0,
    reasons,
    notes: [
      ...(leaving === undefined ? [] : [savingSentence(leaving, dollars, 'removing the machine')]),
      ...(current === undefined ? [] : offerNotes(current)),
    ],
  }
}

/** Returns the best replacements of sufficient size, whatever they cost. A burstable one must sustain the size, as in machineOptions(). */
function bestOffers(market: Market, { facts, price, committed }: PricedMachine, size: Amount) {
  const { offer } = price
  const current = offer ?? unlistedOffer(facts, price)
  const asked = needToReplace(market.catalogue, current, {
    size: { vcpus: size.cores, ramGib: size.gib },
    sustainedVcpus: size.cores,
    atAnyPrice: true,
    limit: examinedTypes,
  })
  if (asked instanceof NotFound) return {}
  const best = (need: ReplacementNeed | undefined): Offer | undefined => {
    const found = need === undefined ? [] : findCheaper(market, need).flatMap(({ offers }) => offers)
    return bestOffer(found, price, offer, committed)
  }
  const { need } = asked
  const sameRegion = offer && best(needWithin('region', offer, need))
  const anywhere = cheaperOf(sameRegion, best(need))
  const [first] = committedFirst(
    current,
    [sameRegion, anywhere].filter((one) => one !== undefined),
    committed,
  )
  return { sameRegion, anywhere: first }
}

const unlistedOffer = (facts: ReportedMachine, { perHourUsd, cores, gib }: MachinePrice): Offer => ({
  ...facts,
  service: '',
  term: '',
  vcpus: cores ?? null,
  ramGib: gib ?? null,
  architecture: parseArchitecture(facts.architecture) ?? '',
  gpuCount: 0,
  gpuName: '',
  pricePerHourUsd: perHourUsd ?? 0,
  monthlyCapUsd: null,
  burstableBaseline: null,
  family: '',
  source: '',
  day: '',
})

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

/**
 * Returns the first offer in the order of comparisons. As there, offers that cost a percent less than the machine come
 * first; without any, those that cost no more; otherwise the cheapest is returned. Where commitments have to do with them,
 * the one that saves most while they last is returned.
 */
function bestOffer(
  offers: readonly Offer[],
  { perHourUsd }: MachinePrice,
  current: Offer | undefined,
  committed: CommittedMachine | undefined,
): Offer | undefined {
  if (current === undefined || perHourUsd === null) return offers[0]
  const ranked = fasterFirst(current, offers)
  const [first] = committedFirst(current, ranked, committed)
  if (first !== ranked[0]) return first
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
  { perHourUsd, perMonthUsd }: MachinePrice,
  committed: CommittedSaving | undefined,
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
    savingsPerHour:
      perHourUsd === null ? null : roundHourly(hourlyOf(committed) ?? perHourUsd - offer.pricePerHourUsd),
    savingsPerMonth:
      perMonthUsd === null
        ? null
        : (committed?.saves_per_month ?? roundSum(perMonthUsd - monthlyPrice(offer))),
    ...(committed && { commitments: committed }),
  }
}
