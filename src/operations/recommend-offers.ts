import { searchAll } from '../catalogue/catalogue.ts'
import type { Need } from '../domain/need.ts'
import type { Offer } from '../domain/offer.ts'
import { type Answer, answerOf } from '../pricing/answer.ts'
import { defaultTarget, requirement } from '../pricing/requirement.ts'
import { monthOf } from '../pricing/savings.ts'
import { marketOf, type PricingDeps } from './pricing/deps.ts'
import { factsOf } from './pricing/facts.ts'
import { findCurrent } from './pricing/find-current.ts'
import { parsePredicates } from './pricing/parse.ts'
import { defaultLimit, defaultOffersPerType, type RecommendationRequest } from './pricing/request.ts'

/** Where the instance described would cost less: the current one under `base`, then the cheapest types. */
export async function recommendOffers(
  deps: PricingDeps,
  organisation: string,
  request: RecommendationRequest,
): Promise<Answer> {
  const market = await marketOf(deps, organisation)
  const limits = parsePredicates(request.predicates, deps.findProvider)
  const current = findCurrent(deps, market, request)
  const found = searchAll([market.catalogue, ...market.own.catalogues], needOf(request, current, limits))
  const vm = { vcpus: request.vm.cpu_cores, ramGib: request.vm.ram_gb }
  return answerOf(current, vm, found, factsOf(deps, market, request.include_metadata ?? false))
}

/** What the caller says of the machine's size rules, where the price list says otherwise. */
function needOf(
  request: RecommendationRequest,
  current: Offer,
  { predicates, architectures }: ReturnType<typeof parsePredicates>,
): Need {
  const { usage, vm, target_utilisation: target } = request
  const required = requirement(
    { vcpus: usage.cpu_cores, ramGib: usage.ram_gb },
    { vcpus: vm.cpu_cores, ramGib: vm.ram_gb },
    { cpu: target?.cpu ?? defaultTarget.cpu, ram: target?.ram ?? defaultTarget.ram },
  )
  const allowed = architectures ?? (current.architecture === '' ? undefined : [current.architecture])
  return {
    ...required,
    sustainedVcpus: usage.cpu_cores,
    operatingSystem: current.operatingSystem,
    ...(allowed && { architectures: allowed }),
    gpu: { count: current.gpuCount, name: current.gpuName },
    belowPerHourUsd: current.pricePerHourUsd,
    belowPerMonthUsd: monthOf(current),
    predicates,
    limit: request.limit ?? defaultLimit,
    offersPerType: request.offers_per_type ?? defaultOffersPerType,
  }
}
