import { NotFound } from '../../domain/not-found.ts'
import type { FieldError } from '../../domain/problem.ts'
import { baseProvider } from '../../providers/providers.ts'
import type { PricingDeps } from '../market.ts'
import { priceInstance } from '../price-instance.ts'
import { completeRequest, type PartialRequest } from '../request/complete-request.ts'
import type { ComputeInstance, ComputePrice } from './schema.ts'

export async function priceCompute(
  deps: PricingDeps,
  organisation: string,
  instance: ComputeInstance,
): Promise<ComputePrice | NotFound> {
  const description = toDescription(deps, instance)
  if (description instanceof NotFound) return description
  const flat = await completeRequest(deps, organisation, description)
  return flat instanceof NotFound ? flat : priceInstance(deps, organisation, flat)
}

/** Converts an instance to the contract's flat description, or returns what it lacks. */
export function toDescription(
  { findProvider }: Pick<PricingDeps, 'findProvider'>,
  instance: ComputeInstance,
): Omit<PartialRequest, 'usage' | 'predicates'> | NotFound {
  const { id: _, use_base_pricing, fallback_to_base_pricing, ...rest } = instance
  const fallback = fallback_to_base_pricing || use_base_pricing
  const { provider = '', availability_zone = '', region = availability_zone, instance_type = '' } = rest
  const needsPlace = !fallback && findProvider(provider) !== baseProvider
  const missing = Object.entries({ provider, region, instance_type }).filter(([, value]) => value === '')
  if (needsPlace && missing.length > 0) {
    const errors = missing.map(([member]) => ({ pointer: `/${member}`, message: 'is required' }))
    return new NotFound('invalid', 'The instance is not described well enough to find its price.', { errors })
  }
  return { ...rest, provider, region, instance_type, ...(fallback && { fallback_to_base_pricing: true }) }
}

/** Pointers to members of the request that do not belong to the instance. */
const ofTheQuestion = /^\/(usage|predicates|instance)(\/|$)/

/** Changes the pointers to members of the flat description to those of the nested request. */
export function withInstancePointers(notFound: NotFound): NotFound {
  const { code, reason, nearest, errors } = notFound
  if (errors === undefined) return notFound
  const moved = errors.map(nested)
  const detail = reason.replace(errors[0]?.pointer ?? '', moved[0]?.pointer ?? '')
  return new NotFound(code, detail, { errors: moved, nearest })
}

const nested = ({ pointer, message }: FieldError): FieldError => ({
  pointer: ofTheQuestion.test(pointer) ? pointer : `/instance${pointer}`,
  message,
})
