import { round } from '../../domain/money.ts'
import { NotFound } from '../../domain/not-found.ts'
import type { Size } from '../current-offer.ts'
import { needToReplace } from '../find-cheaper.ts'
import { findCurrent } from '../find-current.ts'
import type { Market, PricingDeps } from '../market.ts'
import { resolveZones } from '../names.ts'
import { defaultLimit, defaultOffersPerType } from './bounds.ts'
import type { RecommendationRequest } from './request.ts'
import { type Limits, parsePredicates } from './request.ts'

export function needFor(deps: PricingDeps, market: Market, request: RecommendationRequest) {
  const limits = parsePredicates(request.predicates, deps.findProvider)
  if (limits instanceof NotFound) return limits
  const current = findCurrent(deps, market, request)
  if (current instanceof NotFound) return current
  const { usage, target_utilisation: target } = request
  const asked = needToReplace(market.catalogue, current, {
    size: requirement({ vcpus: usage.cpu_cores, ramGib: usage.ram_gb }, vmOf(request), {
      cpu: target?.cpu ?? defaultTarget.cpu,
      ram: target?.ram ?? defaultTarget.ram,
    }),
    sustainedVcpus: usage.cpu_cores,
    limits: withResolvedZones(deps, market, limits),
    countsFasterCores: request.performance === 'equivalent',
    limit: request.limit ?? defaultLimit,
    offersPerType: request.offers_per_type ?? defaultOffersPerType,
  })
  return asked instanceof NotFound ? asked : { current, need: asked.need, scope: asked.scope }
}

function withResolvedZones({ providers }: PricingDeps, { catalogue }: Market, limits: Limits): Limits {
  const { availabilityZones } = limits.predicates
  if (availabilityZones === undefined) return limits
  const zones = availabilityZones.flatMap((name) => resolveZones(providers, catalogue, name))
  return { ...limits, predicates: { ...limits.predicates, availabilityZones: zones } }
}

/** The caller's size of the machine takes precedence over that of the price list. */
export const vmOf = ({ vm }: RecommendationRequest): Size => ({ vcpus: vm.cpu_cores, ramGib: vm.ram_gb })

interface TargetUtilisation {
  readonly cpu: number
  readonly ram: number
}

/** A fifth of the machine stays free for peaks that the usage figure does not show. */
const defaultTarget: TargetUtilisation = { cpu: 0.8, ram: 0.8 }

/** Returns the size that a candidate must have so that the usage fills it to the target at most. */
export function requirement(usage: Size, vm: Size, target: TargetUtilisation = defaultTarget): Size {
  return {
    vcpus: required(usage.vcpus, vm.vcpus, target.cpu),
    ramGib: required(usage.ramGib, vm.ramGib, target.ram),
  }
}

/** 1.5 used of 4 at 0.8 -> 1.875; 3.6 of 4 -> 4, not 4.5; 5 of 4 -> 6.25, as the machine is too small already. */
function required(used: number, size: number, target: number): number {
  const wanted = round(used / target, 9)
  return used <= size ? Math.min(wanted, size) : wanted
}
