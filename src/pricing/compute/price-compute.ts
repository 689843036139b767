import { type FieldError, Problem } from '../../domain/problem.ts'
import { baseProvider } from '../../importers/providers.ts'
import { completeRequest, type PartialRequest } from '../../market/complete-request.ts'
import type { ComputePrice } from '../../market/compute-price.ts'
import type { PricingDeps } from '../../market/market.ts'
import type { InstanceDescription, Resources } from '../../market/request.ts'
import { priceInstance } from '../price-instance.ts'

export async function priceCompute(
  deps: PricingDeps,
  organisation: string,
  instance: ComputeInstance,
): Promise<ComputePrice> {
  const flat = await completeRequest(deps, organisation, toDescription(deps, instance))
  return priceInstance(deps, organisation, flat)
}

/** An instance as the compute endpoints take it. Only what is needed to find its price is required. */
export interface ComputeInstance extends Partial<Omit<InstanceDescription, 'vm'>> {
  /** The caller's own id of the instance; it is ignored. */
  readonly id?: string
  readonly vm?: Partial<Resources>
  /** An alias of fallback_to_base_pricing. */
  readonly use_base_pricing?: boolean
}

/** Converts an instance to the contract's flat description. Throws a problem that names what is missing. */
export function toDescription(
  { findProvider }: Pick<PricingDeps, 'findProvider'>,
  instance: ComputeInstance,
): Omit<PartialRequest, 'usage' | 'predicates'> {
  const { id: _, use_base_pricing, fallback_to_base_pricing, ...rest } = instance
  const fallback = fallback_to_base_pricing || use_base_pricing
  const { provider = '', availability_zone = '', region = availability_zone, instance_type = '' } = rest
  const needsPlace = !fallback && findProvider(provider) !== baseProvider
  const missing = Object.entries({ provider, region, instance_type }).filter(([, value]) => value === '')
  if (needsPlace && missing.length > 0) {
    const errors = missing.map(([member]) => ({ pointer: `/${member}`, message: 'is required' }))
    throw new Problem('invalid', 'The instance is not described well enough to find its price.', { errors })
  }
  return { ...rest, provider, region, instance_type, ...(fallback && { fallback_to_base_pricing: true }) }
}

/** Pointers to members of the request that do not belong to the instance. */
const ofTheQuestion = /^\/(usage|predicates|instance)(\/|$)/

/** Runs work on a flat description. Pointers in its problems are changed to those of the nested request. */
export async function withInstancePointers<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Problem) || error.errors === undefined) throw error
    const errors = error.errors.map(nested)
    const [first] = error.errors
    const detail = error.message.replace(first?.pointer ?? '', errors[0]?.pointer ?? '')
    throw new Problem(error.code, detail, { errors, ...(error.extra && { extra: error.extra }) })
  }
}

const nested = ({ pointer, message }: FieldError): FieldError => ({
  pointer: ofTheQuestion.test(pointer) ? pointer : `/instance${pointer}`,
  message,
})
