import { type ComputePrice, computePrice } from '../market/compute-price.ts'
import { findCurrent } from '../market/find-current.ts'
import { marketOf, type PricingDeps } from '../market/market.ts'
import { invalidField } from '../market/not-found.ts'
import { offerFactsFor } from '../market/offer-facts.ts'
import type { InstanceDescription } from '../market/request.ts'

/** Returns the hourly price of one instance, and its cores and GiB. */
export async function priceInstance(
  deps: PricingDeps,
  organisation: string,
  given: InstanceDescription,
): Promise<ComputePrice> {
  const market = await marketOf(deps, organisation)
  const offer = findCurrent(deps, market, given)
  const vcpus = offer.vcpus ?? given.vm?.cpu_cores
  const ramGib = offer.ramGib ?? given.vm?.ram_gb
  if (vcpus === undefined || ramGib === undefined) {
    throw invalidField('/vm', 'is required: the price list does not contain the size of this type')
  }
  const facts = offerFactsFor(deps, market, given.include_metadata ?? false)
  return computePrice(offer, { vcpus, ramGib }, facts, given.availability_zone)
}
