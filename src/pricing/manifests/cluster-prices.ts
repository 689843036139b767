import { NotFound } from '../../domain/not-found.ts'
import { machineName } from '../compare/comparison.ts'
import { ratesOfOffer, splitPrice } from '../current-offer.ts'
import { familyRatesIn, findCurrent } from '../find-current.ts'
import { marketOf, type PricingDeps } from '../market.ts'
import type { ClusterPrices } from './plan-workloads.ts'

/** Rates that somebody states, or the instance type of the nodes. */
export type ClusterPricing =
  | { readonly corePerHourUsd: number; readonly gibPerHourUsd: number }
  | {
      readonly provider: string
      readonly region: string
      readonly instanceType: string
      readonly usageType: string
    }

export async function clusterPrices(
  deps: PricingDeps,
  organisation: string,
  pricing: ClusterPricing,
): Promise<ClusterPrices | NotFound> {
  if ('corePerHourUsd' in pricing)
    return { rates: pricing, source: 'stated for this review', provider: '', region: '' }
  const market = await marketOf(deps, organisation)
  const { provider, ...machine } = { ...pricing, zone: '', operatingSystem: 'Linux' }
  const offer = findCurrent(deps, market, machineName(provider, machine))
  if (offer instanceof NotFound) return offer
  const { vcpus, ramGib, gpuCount, pricePerHourUsd, instanceType, region, day } = offer
  if (vcpus === null || ramGib === null)
    return new NotFound('no-price', `The size of ${instanceType} is not known.`)
  const listed = ratesOfOffer(offer, familyRatesIn(market.catalogue, offer))
  return {
    rates: splitPrice(pricePerHourUsd, { vcpus, ramGib, gpuCount }, listed),
    source: `price of ${instanceType}${day === '' ? '' : `, ${day}`}`,
    provider: offer.provider,
    region,
  }
}
