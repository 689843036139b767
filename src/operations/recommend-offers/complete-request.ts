import { marketOf, type PricingDeps } from '../pricing/deps.ts'
import { findCurrent } from '../pricing/find-current.ts'
import { invalidField } from '../pricing/not-found.ts'
import type { InstanceDescription, RecommendationRequest, Resources } from '../pricing/request.ts'

/** What a person enters: the type determines the size, and no usage means full usage. */
export type PartialRequest = Partial<Omit<RecommendationRequest, 'usage' | 'vm' | RequiredMember>> &
  Pick<RecommendationRequest, RequiredMember> & {
    readonly usage?: Partial<Resources>
    readonly vm?: Partial<Resources>
  }

type RequiredMember = 'provider' | 'region' | 'instance_type'

/** Fills in what recommendOffers() asks for. */
export async function completeRequest(
  deps: PricingDeps,
  organisation: string,
  short: PartialRequest,
): Promise<RecommendationRequest> {
  const given = {
    operating_system: 'Linux',
    usage_type: 'ONDEMAND',
    availability_zone: '',
    service: '',
    ...short,
  }
  const { vm: size = {}, usage = {}, ...rest } = given
  const vm = isWhole(size) ? size : await sizeOf(deps, organisation, rest, size)
  return {
    predicates: {},
    ...rest,
    vm,
    usage: { cpu_cores: usage.cpu_cores ?? vm.cpu_cores, ram_gb: usage.ram_gb ?? vm.ram_gb },
  }
}

async function sizeOf(
  deps: PricingDeps,
  organisation: string,
  instance: InstanceDescription,
  given: Partial<Resources>,
): Promise<Resources> {
  const { vcpus, ramGib } = findCurrent(deps, await marketOf(deps, organisation), instance)
  const cpu_cores = given.cpu_cores ?? vcpus
  const ram_gb = given.ram_gb ?? ramGib
  if (cpu_cores === null || ram_gb === null) {
    throw invalidField('/vm', 'is required: the price list does not contain the size of this type')
  }
  return { cpu_cores, ram_gb }
}

const isWhole = (size: Partial<Resources>): size is Resources =>
  size.cpu_cores !== undefined && size.ram_gb !== undefined
