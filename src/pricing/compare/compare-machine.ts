import { countLeftOut, leftOutReasons } from '../../catalogue/left-out.ts'
import { shippedFacts, successorOf } from '../../catalogue/shipped-facts.ts'
import { roundHourly } from '../../domain/money.ts'
import { NotFound } from '../../domain/not-found.ts'
import type { Offer } from '../../domain/offer.ts'
import { similarPriceRatio } from '../../domain/recommendation.ts'
import { commitmentNotes } from '../commitments/commitment-notes.ts'
import { chooseCurrent } from '../current-offer.ts'
import { findCheaper, type ReplacementNeed } from '../find-cheaper.ts'
import { type Market, marketOf, type PricingDeps } from '../market.ts'
import { resolveZones } from '../names.ts'
import { notesOn } from '../offer-facts.ts'
import { checkPredicatesIn } from '../request/check-predicates.ts'
import { completeRequest, type PartialRequest } from '../request/complete-request.ts'
import { needFor } from '../request/need.ts'
import type { RecommendationRequest } from '../request/request.ts'
import { scopeText } from '../request/scope-header.ts'
import type { Effort } from './comparison.ts'
import { relativeSpeed } from './faster-first.ts'
import { OfferWriter } from './offer-writer.ts'
import { maxWorthwhilePriceRatio, optionsFor } from './options.ts'
import type { Comparison, ComparisonOption } from './schema.ts'

type ComparisonRequest = PartialRequest & {
  readonly anywhere?: boolean
}

/** Returns what could replace a machine, by effort, and what was not comparable. `today` is YYYY-MM-DD. */
export async function compareMachine(
  deps: PricingDeps,
  organisation: string,
  { anywhere = false, ...given }: ComparisonRequest,
  today: string,
): Promise<Comparison | NotFound> {
  const request = await completeRequest(deps, organisation, given)
  if (request instanceof NotFound) return request
  const market = await marketOf(deps, organisation)
  checkPredicatesIn(deps, market, request.predicates)
  const asked = needFor(deps, market, request)
  if (asked instanceof NotFound) return asked
  const { current, need, scope } = asked
  const writer = new OfferWriter(deps, market, current, today)
  const options = optionsFor(deps, market, current, need, writer, {
    anywhere,
    offersPerEffort: request.offers_per_type,
  })
  return {
    current: currentOf(market, current, need, request, writer, [
      ...zoneNotes(deps, market, request),
      ...localZoneNotes(deps, current, request),
      ...(await commitmentNotes(deps, market, organisation, today))(current),
    ]),
    options,
    unpriced_efforts: unpricedEfforts(market, current, need, options),
    left_out: leftOut(market, need),
    scope: scopeText(scope),
  }
}

function currentOf(
  market: Market,
  current: Offer,
  need: ReplacementNeed,
  request: RecommendationRequest,
  writer: OfferWriter,
  zoneNotes: readonly string[],
): Comparison['current'] {
  const written = writer.write(current)
  return {
    ...written,
    vm: request.vm,
    usage: request.usage,
    required: { cpu_cores: need.vcpus, ram_gb: need.ramGib },
    notes: [...baselineNote(current), ...notesOn(current, written.machine, request), ...zoneNotes],
    newer_at_same_price: newerAtSamePrice(market, current),
  }
}

/** Within a percent, a price is the same: what costs less is an option. */
function newerAtSamePrice({ catalogue }: Market, current: Offer) {
  const { provider, region, operatingSystem } = current
  const instanceType = successorOf(provider, current.instanceType)
  if (instanceType === undefined) return null
  const offer = chooseCurrent(
    catalogue.offersOf({ provider, region, operatingSystem, instanceType }),
    current,
  )
  if (offer === undefined || offer.term !== current.term) return null
  const ratio = offer.pricePerHourUsd / current.pricePerHourUsd
  const speed = relativeSpeed(current, offer)
  if (ratio < maxWorthwhilePriceRatio || ratio > similarPriceRatio || speed < noticeablyFaster) return null
  return {
    instance_type: offer.instanceType,
    cost_per_hour: roundHourly(offer.pricePerHourUsd),
    performance_ratio: speed,
  }
}

const noticeablyFaster = 1.1

function zoneNotes({ providers }: PricingDeps, { catalogue }: Market, { predicates }: RecommendationRequest) {
  const names = predicates.availability_zones ?? []
  return names
    .filter((name) => resolveZones(providers, catalogue, name).length > 1)
    .map((name) => `${name} is a different zone in each account, so all zones of its region are compared.`)
}

/** A machine in a local zone for which the catalogue has no price is found at the price of the region around it. */
function localZoneNotes(
  { findProvider }: PricingDeps,
  current: Offer,
  { region, availability_zone: zone = '' }: RecommendationRequest,
): string[] {
  const isLocal = (name: string): boolean =>
    name !== current.region && (findProvider(current.provider)?.isLocalZone?.(name) ?? false)
  const local = [zone, region].find((name) => isLocal(name) && name !== current.zone)
  if (local === undefined) return []
  return [
    `No price of the local zone ${local} is known: the machine is priced as in ${current.region}, where it may cost less, and other machines of ${current.region} are not in the local zone.`,
  ]
}

function baselineNote({ burstableBaseline }: Offer): string[] {
  if (burstableBaseline === null) return []
  const percent = Math.round(1000 * burstableBaseline) / 10
  return [`Its vCPUs are burstable: speeds are compared at their baseline, ${percent}% of each vCPU.`]
}

const paidOtherwise = { commit: 'RESERVED', spot: 'SPOT_PREEMPTIBLE' } as const

function unpricedEfforts(
  market: Market,
  { provider, region, operatingSystem, usageType }: Offer,
  { gpu }: ReplacementNeed,
  options: readonly ComparisonOption[],
): Effort[] {
  const efforts = (['commit', 'spot'] as const).filter(
    (effort) => paidOtherwise[effort] !== usageType && options.every((option) => option.effort !== effort),
  )
  return efforts.filter((effort) => {
    const any = {
      vcpus: 0,
      ramGib: 0,
      sustainedVcpus: 0,
      operatingSystem,
      gpu,
      limit: 1,
      offersPerType: 1,
      belowPerHourUsd: Number.POSITIVE_INFINITY,
      belowPerMonthUsd: Number.POSITIVE_INFINITY,
      predicates: { providers: [provider], regions: [region], usageTypes: [paidOtherwise[effort]] },
    }
    return findCheaper(market, any).length === 0
  })
}

function leftOut({ catalogue }: Market, need: ReplacementNeed): Comparison['left_out'] {
  const { machines } = shippedFacts()
  const counts = countLeftOut(catalogue.searchIndex, need, (provider, type) =>
    machines.kinds(provider, type).includes('custom'),
  )
  return leftOutReasons.flatMap((reason) => {
    const offers = counts.get(reason)
    return offers === undefined ? [] : [{ reason, offers }]
  })
}
