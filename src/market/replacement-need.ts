import { type Likeness, likenessOf, type TypeTraits } from '../domain/likeness.ts'
import type { Need } from '../domain/need.ts'
import type { Offer } from '../domain/offer.ts'
import { defaultTarget, requirement, type Size } from '../pricing/current-offer.ts'
import { monthlyPrice } from '../pricing/savings.ts'
import type { Market, PricingDeps } from './deps.ts'
import { currentTraits, findCurrent } from './find-current.ts'
import { zonesMeant } from './names.ts'
import { isBeyondSize } from './offer-facts.ts'
import {
  defaultLimit,
  defaultOffersPerType,
  type Limits,
  parsePredicates,
  type RecommendationRequest,
} from './request.ts'
import { type SearchScope, scopeOf, scopeText } from './scope.ts'

/** The current instance, and what may take its place. */
export function needFor(deps: PricingDeps, market: Market, request: RecommendationRequest) {
  const limits = withZonesMeant(deps, market, parsePredicates(request.predicates, deps.findProvider))
  const current = findCurrent(deps, market, request)
  const scope = scopeOf(market.catalogue, current, limits)
  return {
    current,
    need: needOf(request, current, limits, scope, currentTraits(market.catalogue, current)),
  }
}

function withZonesMeant({ providers }: PricingDeps, { catalogue }: Market, limits: Limits): Limits {
  const { availabilityZones } = limits.predicates
  if (availabilityZones === undefined) return limits
  const meant = availabilityZones.flatMap((name) => zonesMeant(providers, catalogue, name))
  return { ...limits, predicates: { ...limits.predicates, availabilityZones: meant } }
}

/** The header Cheapside-Scope. */
export function scopeFor(request: RecommendationRequest, need: SearchScope): string {
  return isBeyondSize(request) ? `${scopeText(need)}, usage_beyond_vm=?1` : scopeText(need)
}

export const vmOf = ({ vm }: RecommendationRequest): Size => ({ vcpus: vm.cpu_cores, ramGib: vm.ram_gb })

/** What the caller says of the machine's size rules, where the price list says otherwise. */
function needOf(
  request: RecommendationRequest,
  current: Offer,
  { architectures, lifted }: Limits,
  { predicates, near, withoutLocalZones }: SearchScope,
  traits: TypeTraits,
): Need & SearchScope & { readonly like: Likeness } {
  const { usage, target_utilisation: target } = request
  const used = { vcpus: usage.cpu_cores, ramGib: usage.ram_gb }
  const wanted = { cpu: target?.cpu ?? defaultTarget.cpu, ram: target?.ram ?? defaultTarget.ram }
  const { vcpus, ramGib } = requirement(used, vmOf(request), wanted)
  const { architecture } = current
  // Named one by one: members that are spread cost more than the rest of this.
  return {
    vcpus,
    ramGib,
    sustainedVcpus: usage.cpu_cores,
    operatingSystem: current.operatingSystem,
    architectures:
      architectures ?? (architecture === '' || lifted.has('architectures') ? undefined : [architecture]),
    gpu: { count: current.gpuCount, name: current.gpuName },
    belowPerHourUsd: current.pricePerHourUsd,
    belowPerMonthUsd: monthlyPrice(current),
    predicates,
    like: likenessOf(traits, request.performance === 'equivalent'),
    near,
    withoutLocalZones,
    limit: request.limit ?? defaultLimit,
    offersPerType: request.offers_per_type ?? defaultOffersPerType,
  }
}
