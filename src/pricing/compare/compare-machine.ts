import { searchAll } from '../catalogue/catalogue.ts'
import { countLeftOut, leftOutReasons } from '../catalogue/left-out.ts'
import { shippedFacts } from '../catalogue/shipped-facts.ts'
import type { Comparability } from '../domain/comparability.ts'
import type { Need } from '../domain/need.ts'
import type { Offer } from '../domain/offer.ts'
import { checkPredicatesIn } from '../market/check-predicates.ts'
import type { Comparison, ComparisonOption, CurrentMachine, Effort } from '../market/comparison/comparison.ts'
import { OfferWriter } from '../market/comparison/offer-writer.ts'
import { optionsFor } from '../market/comparison/options.ts'
import { type Market, marketOf, type PricingDeps } from '../market/market.ts'
import { resolveZones } from '../market/names.ts'
import { needFor } from '../market/need.ts'
import { notesOn } from '../market/offer-facts.ts'
import type { RecommendationRequest } from '../market/request.ts'
import { scopeText } from '../market/scope-header.ts'

export interface ComparisonRequest extends RecommendationRequest {
  /** Whether regions of other continents are compared as well. */
  readonly anywhere?: boolean
}

/** Returns what could replace a machine, by effort, and what was not comparable. `today` is YYYY-MM-DD. */
export async function compareMachine(
  deps: PricingDeps,
  organisation: string,
  request: ComparisonRequest,
  today: string,
): Promise<Comparison> {
  const market = await marketOf(deps, organisation)
  checkPredicatesIn(deps, market, request.predicates)
  const { current, need, scope } = needFor(deps, market, request)
  const writer = new OfferWriter(deps, market, current, today)
  const { anywhere = false, offers_per_type: offersPerEffort } = request
  const options = optionsFor(deps, market, current, need, writer, { anywhere, offersPerEffort })
  return {
    current: currentOf(current, need, request, writer, [
      ...zoneNotes(deps, market, request),
      ...localZoneNotes(deps, current, request),
    ]),
    options,
    unpriced_efforts: unpricedEfforts(market, current, need, options),
    left_out: leftOut(market, need),
    scope: scopeText(scope),
  }
}

function currentOf(
  current: Offer,
  need: Need,
  request: RecommendationRequest,
  writer: OfferWriter,
  zoneNotes: readonly string[],
): CurrentMachine {
  const written = writer.write(current)
  return {
    ...written,
    vm: request.vm,
    usage: request.usage,
    required: { cpu_cores: need.vcpus, ram_gb: need.ramGib },
    notes: [...baselineNote(current), ...notesOn(current, written.machine, request), ...zoneNotes],
  }
}

function zoneNotes(
  { providers }: PricingDeps,
  { catalogue }: Market,
  { predicates }: RecommendationRequest,
): string[] {
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
  { catalogue, own }: Market,
  { provider, region, operatingSystem, usageType }: Offer,
  { gpu }: Need,
  options: readonly ComparisonOption[],
): Effort[] {
  const efforts = (['commit', 'spot'] as const).filter(
    (effort) => paidOtherwise[effort] !== usageType && options.every((option) => option.effort !== effort),
  )
  return efforts.filter((effort) => {
    const any: Need = {
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
    return searchAll([catalogue, ...own.catalogues], any).length === 0
  })
}

function leftOut(
  { catalogue }: Market,
  need: Need & { comparableTo: Comparability },
): Comparison['left_out'] {
  const { machines } = shippedFacts()
  const counts = countLeftOut(catalogue.searchIndex, need, (provider, type) =>
    machines.kinds(provider, type).includes('custom'),
  )
  return leftOutReasons.flatMap((reason) => {
    const offers = counts.get(reason)
    return offers === undefined ? [] : [{ reason, offers }]
  })
}
