import type { InstanceSpec, Offer } from '../../domain/offer.ts'
import { foldName } from '../../importers/providers.ts'
import { chooseCurrent } from '../../pricing/current-offer.ts'
import type { OwnPrices } from '../marketplace/own-prices.ts'
import { invalidField, knownNames } from './not-found.ts'

/** The caller's own price of the instance; names match in any letter case, and one spelled as asked comes first. */
export function ownOffer({ catalogues }: OwnPrices, place: InstanceSpec): Offer | undefined {
  const name = place.provider.toLowerCase()
  const services = catalogues.flatMap((own) =>
    own.facets().flatMap((facets) => (facets.provider.toLowerCase() === name ? facets.services : [])),
  )
  if (services.length === 0) return undefined
  const { service, ...query } = place
  const anyService = namesAnyCompute(service)
  if (!anyService && !services.some((own) => own.toLowerCase() === service.toLowerCase())) {
    throw invalidField('/service', knownNames([...new Set(services)].sort()))
  }
  const offers = catalogues.flatMap((own) => own.offersOf({ ...query, ...(anyService ? {} : { service }) }))
  return chooseCurrent(spelledAs(place, offers), place)
}

/** Names that any cloud's users give to its machines. */
const anyCompute = ['', 'compute', 'vm', 'vms', 'virtualmachine', 'virtualmachines', 'instance', 'instances']

export const namesAnyCompute = (service: string): boolean => anyCompute.includes(foldName(service))

/** Each outweighs all that follow. */
const names = ['provider', 'instanceType', 'region', 'service', 'zone'] as const

/** Prices may be registered under names that differ in letter case alone. */
function spelledAs(place: InstanceSpec, offers: readonly Offer[]): readonly Offer[] {
  if (offers.length < 2) return offers
  const exactness = (offer: Offer): number =>
    names.reduce((sum, name) => 2 * sum + (offer[name] === place[name] ? 1 : 0), 0)
  const most = Math.max(...offers.map(exactness))
  return offers.filter((offer) => exactness(offer) === most)
}
