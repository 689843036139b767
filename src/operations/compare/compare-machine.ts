import { searchAll } from '../../catalogue/catalogue.ts'
import { countLeftOut, leftOutReasons } from '../../catalogue/left-out.ts'
import { shippedKnowledge } from '../../catalogue/load-machine-facts.ts'
import type { Likeness } from '../../domain/likeness.ts'
import type { Need } from '../../domain/need.ts'
import type { Offer } from '../../domain/offer.ts'
import { savingsBetween } from '../../pricing/savings.ts'
import { assumedRate } from '../../pricing/synthetic-offer.ts'
import { type Market, marketOf, type PricingDeps } from '../pricing/deps.ts'
import type { RecommendationRequest } from '../pricing/request.ts'
import { type SearchScope, scopeText } from '../pricing/scope.ts'
import { needFor } from '../recommend-offers/recommend-offers.ts'
import type { ComparedCandidate, Comparison, CurrentMachine, Option } from './comparison.ts'
import { OfferWriter } from './offer-writer.ts'
import { type Plan, plansFor } from './plans.ts'

export interface ComparisonRequest extends RecommendationRequest {
  /** Whether regions of other continents are compared too. */
  readonly anywhere?: boolean
}

/** What could take the place of a machine, by effort, and what was not comparable. `today` is YYYY-MM-DD. */
export async function compareMachine(
  deps: PricingDeps,
  organisation: string,
  request: ComparisonRequest,
  today: string,
): Promise<Comparison> {
  const market = await marketOf(deps, organisation)
  const { current, need } = needFor(deps, market, request)
  const writer = new OfferWriter(deps, market, current, today)
  const plans = plansFor(deps, market, current, need, request.anywhere ?? false)
  const options = optionsOf(market, current, plans, writer, request.offers_per_type ?? defaultOffers)
  return {
    current: currentOf(current, need, request, writer),
    options,
    left_out: leftOut(market, need),
    scope: scopeText(need),
  }
}

/** The best offers of each plan that has any, in the order of the plans. */
export function optionsOf(
  market: Market,
  current: Offer,
  plans: readonly Plan[],
  writer: OfferWriter,
  most: number,
): Option[] {
  const options: Option[] = []
  for (const plan of plans) {
    const offers = candidatesOf(market, current, worthwhile(plan, options), writer, most)
    if (offers.length > 0) options.push({ effort: plan.effort, why: plan.why, offers })
  }
  return options
}

const defaultOffers = 5
/** Enough to find the cheapest of each term among them. */
const mostFound = 50

/** A percent less. */
const worthMoving = 0.99

/** Nobody moves data for nothing: another region has to cost less than what is to be had for less effort. */
function worthwhile(plan: Plan, before: readonly Option[]): Plan {
  if (plan.effort !== 'region' && plan.effort !== 'anywhere') return plan
  const cheapest = before
    .filter(({ effort }) => effort !== 'commit' && effort !== 'spot')
    .flatMap(({ offers }) => offers.map((offer) => offer.cost_per_hour))
  const belowPerHourUsd = Math.min(plan.need.belowPerHourUsd, ...cheapest.map((usd) => usd * worthMoving))
  return { ...plan, need: { ...plan.need, belowPerHourUsd } }
}

function candidatesOf(
  { catalogue, own }: Market,
  current: Offer,
  { need, accepts, perTerm }: Plan,
  writer: OfferWriter,
  most: number,
): ComparedCandidate[] {
  const found = searchAll([catalogue, ...own.catalogues], {
    ...need,
    limit: accepts === undefined && !perTerm ? most : mostFound,
    offersPerType: accepts === undefined && !perTerm ? 1 : mostFound,
  })
  const accepted = found.map(({ offers }) => offers.filter((offer) => accepts?.(offer) ?? true))
  const offers = perTerm
    ? bestOfEachTerm(accepted.flat(), most)
    : accepted.flatMap(([offer]) => offer ?? []).slice(0, most)
  return offers.flatMap((offer): ComparedCandidate[] => {
    const savings = savingsBetween(current, offer)
    return savings === null ? [] : [{ ...writer.write(offer), savings }]
  })
}

/** Types in the order of price, term by term. */
function bestOfEachTerm(offers: readonly Offer[], most: number): Offer[] {
  const byTerm = Map.groupBy(offers, ({ term }) => term)
  return [...byTerm.keys()].sort().flatMap((term) => {
    const seen = new Set<string>()
    return byTerm
      .get(term)!
      .toSorted((a, b) => a.pricePerHourUsd - b.pricePerHourUsd)
      .filter(({ provider, instanceType }) => seen.size < seen.add(`${provider}\n${instanceType}`).size)
      .slice(0, Math.max(1, Math.ceil(most / 2)))
  })
}

function currentOf(
  current: Offer,
  need: Need,
  { vm, usage }: RecommendationRequest,
  writer: OfferWriter,
): CurrentMachine {
  const written = writer.write(current)
  const { generation, ends_on: endsOn } = written.machine
  const notes = [
    ...(generation === 'retired' ? [`This type has ended${endsOn ? ` on ${endsOn}` : ''}.`] : []),
    ...(generation === 'retiring' ? [`This type ends on ${endsOn}.`] : []),
    ...(current.source.endsWith(assumedRate)
      ? ['This custom type is priced at the rates of the listed types of its family, which is an assumption.']
      : []),
    ...(usage.cpu_cores > vm.cpu_cores || usage.ram_gb > vm.ram_gb
      ? ['It uses more than it has: what takes its place has to be larger.']
      : []),
    ...(written.price.price_source === 'base'
      ? ['No price list has this machine: base rates are an estimate.']
      : []),
  ]
  return {
    ...written,
    vm: written.vm ?? vm,
    usage,
    required: { cpu_cores: need.vcpus, ram_gb: need.ramGib },
    notes,
  }
}

function leftOut(
  { catalogue }: Market,
  need: Need & SearchScope & { like: Likeness },
): Comparison['left_out'] {
  const { machines } = shippedKnowledge()
  const counts = countLeftOut(catalogue.searchIndex, need, (provider, type) =>
    machines.kinds(provider, type).includes('custom'),
  )
  return leftOutReasons.flatMap((reason) => {
    const offers = counts.get(reason)
    return offers === undefined ? [] : [{ reason, offers }]
  })
}
