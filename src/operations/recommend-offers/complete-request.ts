import { marketOf, type PricingDeps } from '../pricing/deps.ts'
import { findCurrent } from '../pricing/find-current.ts'
import { invalidField } from '../pricing/not-found.ts'
import type { InstanceDescription, RecommendationRequest, Resources } from '../pricing/request.ts'

/** What a person tells of an instance: the type says its size, and no usage means all of it. */
export type PartialRequest = Partial<Omit<RecommendationRequest, 'usage' | 'vm' | Told>> &
  Pick<RecommendationRequest, Told> & {
    readonly usage?: Partial<Resources>
    readonly vm?: Partial<Resources>
  }

type Told = 'provider' | 'region' | 'instance_type'

/** Fills in what recommendOffers() asks for. */
export async function completeRequest(
  deps: PricingDeps,
  organisation: string,
  short: PartialRequest,
): Promise<RecommendationRequest> {
  const told = {
    operating_system: 'Linux',
    usage_type: 'ONDEMAND',
    availability_zone: '',
    service: '',
    ...short,
  }
  const { vm: size = {}, usage = {}, ...rest } = told
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
  told: Partial<Resources>,
): Promise<Resources> {
  const { vcpus, ramGib } = findCurrent(deps, await marketOf(deps, organisation), instance)
  const cpu_cores = told.cpu_cores ?? vcpus
  const ram_gb = told.ram_gb ?? ramGib
  if (cpu_cores === null || ram_gb === null) {
    throw invalidField('/vm', 'is required: the price list does not tell the size of this type')
  }
  return { cpu_cores, ram_gb }
}

const isWhole = (size: Partial<Resources>): size is Resources =>
  size.cpu_cores !== undefined && size.ram_gb !== undefined
