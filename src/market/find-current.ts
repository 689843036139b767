import type { Catalogue } from '../catalogue/catalogue.ts'
import type { TypeTraits } from '../domain/likeness.ts'
import type { InstanceSpec, Offer } from '../domain/offer.ts'
import type { CustomType, Provider } from '../domain/provider.ts'
import { baseProvider, foldName, isServiceOf } from '../importers/providers.ts'
import {
  baseOffer,
  chooseCurrent,
  customOffer,
  familyRates,
  type Rates,
  termsFor,
} from '../pricing/current-offer.ts'
import type { Market, PricingDeps } from './market.ts'
import { regionMeant, typeMeant } from './names.ts'
import { invalidField, knownNames, throwNoPrice, unknownProvider } from './not-found.ts'
import type { OwnPrices } from './own-prices.ts'
import { type InstanceDescription, parseInstanceSpec } from './request.ts'

/** The offer that is the price of the instance described. Throws a problem that names what comes near, if there is none. */
export function findCurrent(deps: PricingDeps, market: Market, given: InstanceDescription): Offer {
  const place = parseInstanceSpec(given)
  return (
    ownOffer(market.own, place) ??
    builtInOffer(deps, market, place, given) ??
    byOtherNames(deps, market, place, given) ??
    fallbackOffer(place, given) ??
    throwNoPrice(market, meant(deps, market, place), deps.findProvider(given.provider))
  )
}

/** Names are only looked at closely where they find nothing as they are. */
function byOtherNames(
  deps: PricingDeps,
  market: Market,
  place: InstanceSpec,
  given: InstanceDescription,
): Offer | undefined {
  const other = meant(deps, market, place)
  return other === place ? undefined : builtInOffer(deps, market, other, given)
}

/** Region and type by the names that the catalogue has for them; the place itself where these are its own. */
function meant(deps: PricingDeps, { catalogue }: Market, place: InstanceSpec): InstanceSpec {
  const provider = deps.findProvider(place.provider)
  if (provider === undefined || provider === baseProvider) return place
  const region = regionMeant(catalogue, provider, place.region)
  const instanceType = typeMeant(catalogue, provider, place.instanceType)
  if (region === place.region && instanceType === place.instanceType) return place
  const isZone = place.zone === '' && region !== place.region && provider.zoneLiesIn(place.region, region)
  return { ...place, region, instanceType, zone: isZone ? place.region : place.zone }
}

function builtInOffer(
  deps: PricingDeps,
  { catalogue, own }: Market,
  place: InstanceSpec,
  given: InstanceDescription,
): Offer | undefined {
  const provider = deps.findProvider(given.provider)
  if (provider === undefined) {
    if (given.fallback_to_base_pricing || own.catalogues.some((c) => c.regionsOf(given.provider).length > 0))
      return undefined
    throw unknownProvider(deps, own, given.provider)
  }
  checkService(provider, given.service ?? '')
  if (provider === baseProvider) return atBaseRates(place, given)
  const { region, instanceType, operatingSystem, usageType } = place
  const query = { provider: provider.key, region, instanceType, operatingSystem, usageType }
  const listed = chooseCurrent(catalogue.offersOf(query), place)
  if (listed !== undefined) return listed
  const custom = provider.customType?.(place.instanceType)
  return custom ? customPrice(catalogue, { ...place, provider: provider.key }, custom) : undefined
}

function fallbackOffer(place: InstanceSpec, given: InstanceDescription): Offer | undefined {
  return given.fallback_to_base_pricing ? atBaseRates(place, given) : undefined
}

function atBaseRates(place: InstanceSpec, { vm }: InstanceDescription): Offer {
  if (vm === undefined) throw invalidField('/vm', 'is required: base rates price its cores and GiB')
  for (const member of ['cpu_cores', 'ram_gb'] as const)
    if (!(vm[member] > 0)) throw invalidField(`/vm/${member}`, 'must be above zero: base rates price it')
  const size = { vcpus: vm.cpu_cores, ramGib: vm.ram_gb }
  return baseOffer({ ...place, provider: baseProvider.key, service: baseProvider.service }, size)
}

/** At the rates of custom types where they are known, else at those of the family, which come near. */
function customPrice(catalogue: Catalogue, place: InstanceSpec, custom: CustomType): Offer | undefined {
  for (const term of termsFor(place.usageType))
    for (const family of [custom.customFamily, custom.family]) {
      const footing = { ...place, family, term, zone: '' }
      const rates = familyRatesIn(catalogue, footing)
      if (rates === null) continue
      const [sibling] = catalogue.familyOffers(footing)
      return customOffer(place, custom, rates, sibling!, family === custom.customFamily)
    }
  return undefined
}

/** The spellings seen so far: comparing names again takes longer than finding the price. */
const accepted = new WeakMap<Provider, Set<string>>()
const mostAccepted = 100

function checkService(provider: Provider, service: string): void {
  const known = accepted.get(provider) ?? new Set<string>()
  if (known.has(service)) return
  if (namesAnyCompute(service) || isServiceOf(provider, service)) {
    if (known.size < mostAccepted) accepted.set(provider, known.add(service))
    return
  }
  throw invalidField(
    '/service',
    `must be ${provider.service}, the service of ${provider.displayName} that is priced here`,
  )
}

/** The caller's own price of the instance; names match in any letter case, and one spelled as asked comes first. */
function ownOffer({ catalogues }: OwnPrices, place: InstanceSpec): Offer | undefined {
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

/** A custom type is as fast as its family. */
export function currentTraits(catalogue: Catalogue, current: Offer): TypeTraits {
  const own = catalogue.traitsOf(current)
  if (own.speed > 0 || current.family === '' || current.position !== undefined) return own
  const [sibling] = catalogue.familyOffers(current)
  return sibling === undefined ? own : { ...own, speed: catalogue.traitsOf(sibling).speed }
}

type RateKey = Pick<
  Offer,
  'provider' | 'family' | 'region' | 'operatingSystem' | 'usageType' | 'term' | 'zone'
>

/** A catalogue does not change, so neither do its rates; an old one takes its own with it. */
const kept = new WeakMap<Catalogue, Map<string, Rates | null>>()
const mostKept = 50_000

/** The core and GiB rates of a family where its prices there determine them. */
export function familyRatesIn(catalogue: Catalogue, at: RateKey): Rates | null {
  if (at.family === '') return null
  let rates = kept.get(catalogue)
  if (rates === undefined || rates.size >= mostKept) {
    rates = new Map()
    kept.set(catalogue, rates)
  }
  const key = `${at.provider}\n${at.family}\n${at.region}\n${at.operatingSystem}\n${at.usageType}\n${at.term}\n${at.zone}`
  let found = rates.get(key)
  if (found === undefined) {
    found = familyRates(catalogue.familyOffers(at))
    rates.set(key, found)
  }
  return found
}
