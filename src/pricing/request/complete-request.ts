import { NotFound } from '../../domain/not-found.ts'
import { findCurrent } from '../find-current.ts'
import { marketOf, type PricingDeps } from '../market.ts'
import { fieldNotFound } from '../not-found.ts'
import type { InstanceDescription, RecommendationRequest, Resources } from './request.ts'

/**
 * What a person enters. The type determines the size, and without a usage the machine counts as used
 * as far as it can sustain.
 */
export type PartialRequest = Partial<Omit<RecommendationRequest, 'usage' | 'vm' | RequiredMember>> &
  Pick<RecommendationRequest, RequiredMember> & {
    readonly usage?: Partial<Resources>
    readonly vm?: Partial<Resources>
  }

type RequiredMember = 'provider' | 'region' | 'instance_type'

export async function completeRequest(
  deps: PricingDeps,
  organisation: string,
  short: PartialRequest,
): Promise<RecommendationRequest | NotFound> {
  const given = {
    operating_system: 'Linux',
    usage_type: 'ONDEMAND',
    availability_zone: '',
    service: '',
    ...short,
  }
  const { vm: size = {}, usage = {}, ...rest } = given
  const found = isWhole(size) ? { vm: size, baseline: null } : await sizeOf(deps, organisation, rest, size)
  if (found instanceof NotFound) return found
  const { vm, baseline } = found
  const whole = {
    predicates: {},
    ...rest,
    vm,
    usage: { cpu_cores: usage.cpu_cores ?? vm.cpu_cores, ram_gb: usage.ram_gb ?? vm.ram_gb },
  }
  return usage.cpu_cores === undefined && baseline !== null ? withSustainedUsage(whole, baseline) : whole
}

/**
 * A burstable machine cannot use all of its cores for long, so its usage is at most what it sustains. The target is set
 * so that a machine of the same size and baseline is large enough.
 */
function withSustainedUsage(request: RecommendationRequest, baseline: number): RecommendationRequest {
  // Rounded down, so that a candidate of the same baseline sustains it.
  const cpu_cores = Math.floor(request.vm.cpu_cores * baseline * 1e6) / 1e6
  return {
    ...request,
    usage: { ...request.usage, cpu_cores },
    target_utilisation: { ...request.target_utilisation, cpu: cpu_cores / request.vm.cpu_cores },
  }
}

async function sizeOf(
  deps: PricingDeps,
  organisation: string,
  instance: InstanceDescription,
  given: Partial<Resources>,
): Promise<{ vm: Resources; baseline: number | null } | NotFound> {
  const offer = findCurrent(deps, await marketOf(deps, organisation), instance)
  if (offer instanceof NotFound) return offer
  const cpu_cores = given.cpu_cores ?? offer.vcpus
  const ram_gb = given.ram_gb ?? offer.ramGib
  if (cpu_cores === null || ram_gb === null) {
    return fieldNotFound('/vm', 'is required: the price list does not contain the size of this type')
  }
  return { vm: { cpu_cores, ram_gb }, baseline: offer.burstableBaseline }
}

const isWhole = (size: Partial<Resources>): size is Resources =>
  size.cpu_cores !== undefined && size.ram_gb !== undefined
