import type { ComputePrice } from '../pricing/compute-price.ts'
import type { PricingDeps } from '../pricing/deps.ts'
import { priceInstance } from '../pricing/price-instance.ts'
import { completeRequest } from '../recommend-offers/complete-request.ts'
import { type ComputeInstance, toDescription } from './instance.ts'

/** What one instance costs. */
export async function priceCompute(
  deps: PricingDeps,
  organisation: string,
  instance: ComputeInstance,
): Promise<ComputePrice> {
  const flat = await completeRequest(deps, organisation, toDescription(deps, instance))
  return priceInstance(deps, organisation, flat)
}
