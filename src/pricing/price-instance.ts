import { NotFound } from '../domain/not-found.ts'
import { computePrice } from './compute/compute-price.ts'
import type { ComputePrice } from './compute/schema.ts'
import { findCurrent } from './find-current.ts'
import { marketOf, type PricingDeps } from './market.ts'
import { fieldNotFound } from './not-found.ts'
import { offerFactsFor } from './offer-facts.ts'
import type { InstanceDescription } from './request/request.ts'

export async function priceInstance(
  deps: PricingDeps,
  organisation: string,
  given: InstanceDescription,
): Promise<ComputePrice | NotFound> {
  const market = await marketOf(deps, organisation)
  const offer = findCurrent(deps, market, given)
  if (offer instanceof NotFound) return offer
  const vcpus = offer.vcpus ?? given.vm?.cpu_cores
  const ramGib = offer.ramGib ?? given.vm?.ram_gb
  if (vcpus === undefined || ramGib === undefined) {
    return fieldNotFound('/vm', 'is required: the price list does not contain the size of this type')
  }
  const facts = offerFactsFor(deps, market, given.include_metadata ?? false)
  return computePrice(offer, { vcpus, ramGib }, facts, given.availability_zone)
}
