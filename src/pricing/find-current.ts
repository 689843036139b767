import type { Catalogue } from '../catalogue/catalogue.ts'
import type { OfferView } from '../catalogue/columns/offer-view.ts'
import type { TypeTraits } from '../domain/comparability.ts'
import { hoursPerMonth, round } from '../domain/money.ts'
import { NotFound } from '../domain/not-found.ts'
import type { InstanceSpec, Offer } from '../domain/offer.ts'
import type { CustomType, Provider } from '../domain/provider.ts'
import { baseProvider, foldName, isServiceOf } from '../providers/providers.ts'
import { baseOffer, chooseCurrent, customOffer, familyRates, type Rates, termsFor } from './current-offer.ts'
import type { Market, PricingDeps } from './market.ts'
import { resolveRegion, resolveType } from './names.ts'
import { fieldNotFound, knownNames, noPrice, unknownProvider } from './not-found.ts'
import type { OwnPrices } from './own-prices/own-prices.ts'
import { type InstanceDescription, parseInstanceSpec } from './request/request.ts'
import { ruledOffer } from './rules/price-rule.ts'

export function findCurrent(deps: PricingDeps, market: Market, given: InstanceDescription): Offer | NotFound {
  const spec = parseInstanceSpec(given)
  if (spec instanceof NotFound) return spec
  return (
    ownOffer(market.own, spec) ??
    builtInOffer(deps, market, spec, given) ??
    byOtherNames(deps, market, spec, given) ??
    fallbackOffer(spec, given) ??
    noPrice(market, withCatalogueNames(deps, market, spec), deps.findProvider(given.provider))
  )
}

/** Tries other spellings of the names, which is necessary only if the names as they are find nothing. */
function byOtherNames(deps: PricingDeps, market: Market, spec: InstanceSpec, given: InstanceDescription) {
  const other = withCatalogueNames(deps, market, spec)
  return other === spec ? undefined : builtInOffer(deps, market, other, given)
}

/** Replaces region and type by the names that the catalogue has for them. Returns the same object if these are equal. */
function withCatalogueNames(deps: PricingDeps, { catalogue }: Market, spec: InstanceSpec): InstanceSpec {
  const provider = deps.findProvider(spec.provider)
  if (provider === undefined || provider === baseProvider) return spec
  const region = resolveRegion(catalogue, provider, spec.region)
  const instanceType = resolveType(catalogue, provider, spec.instanceType)
  if (region === spec.region && instanceType === spec.instanceType) return spec
  const isZone = spec.zone === '' && region !== spec.region && provider.isZoneInRegion(spec.region, region)
  return { ...spec, region, instanceType, zone: isZone ? spec.region : spec.zone }
}

function builtInOffer(
  deps: PricingDeps,
  { catalogue, own, ruled }: Market,
  spec: InstanceSpec,
  given: InstanceDescription,
): Offer | NotFound | undefined {
  const provider = deps.findProvider(given.provider)
  if (provider === undefined) {
    if (given.fallback_to_base_pricing || own.catalogues.some((c) => c.regionsOf(given.provider).length > 0))
      return undefined
    return unknownProvider(deps, own, given.provider)
  }
  if (!sellsService(provider, given.service ?? ''))
    return fieldNotFound(
      '/service',
      `must be ${provider.service}, the service of ${provider.displayName} that is priced here`,
    )
  if (provider === baseProvider) return atBaseRates(spec, given)
  const { region, instanceType, operatingSystem, usageType } = spec
  const query = { provider: provider.key, region, instanceType, operatingSystem, usageType }
  const listed = chooseCurrent(inRegionItself(provider, spec.zone, catalogue.offersOf(query)), spec)
  if (listed !== undefined) {
    if (operatingSystem === 'Linux' || !provider.sustainedUseDiscountOf?.(instanceType)) return listed
    const unlicensed = chooseCurrent(catalogue.offersOf({ ...query, operatingSystem: 'Linux' }), spec)
    return unlicensed === undefined ? listed : withDiscountOf(unlicensed, listed)
  }
  const custom = provider.customType?.(spec.instanceType)
  if (!custom) return undefined
  const found = customPrice(ruled?.listed ?? catalogue, { ...spec, provider: provider.key }, custom)
  return found && ruled !== undefined ? ruledOffer(ruled.rules, found) : found
}

/** Leaves out offers in local zones around a region, which are cheaper or dearer, unless the machine is in one or there are no others. */
function inRegionItself(provider: Provider, zone: string, offers: readonly OfferView[]) {
  const { isLocalZone } = provider
  if (isLocalZone === undefined || offers.length < 2 || isLocalZone(zone)) return offers
  const inRegion = offers.filter((offer) => !isLocalZone(offer.zone))
  return inRegion.length === 0 ? offers : inRegion
}

/** A discount for sustained use lowers the price of the machine, but not that of its licence. */
function withDiscountOf({ pricePerHourUsd, monthlyCapUsd }: Offer, licensed: OfferView): Offer {
  if (licensed.monthlyCapUsd !== null || monthlyCapUsd === null) return licensed
  const licencePerHourUsd = licensed.pricePerHourUsd - pricePerHourUsd
  return {
    ...licensed.copy(),
    monthlyCapUsd: round(monthlyCapUsd + hoursPerMonth * licencePerHourUsd, 4),
  }
}

function fallbackOffer(spec: InstanceSpec, given: InstanceDescription): Offer | NotFound | undefined {
  return given.fallback_to_base_pricing ? atBaseRates(spec, given) : undefined
}

function atBaseRates(spec: InstanceSpec, { vm }: InstanceDescription): Offer | NotFound {
  if (vm === undefined) return fieldNotFound('/vm', 'is required: base rates price its cores and GiB')
  for (const member of ['cpu_cores', 'ram_gb'] as const)
    if (!(vm[member] > 0)) return fieldNotFound(`/vm/${member}`, 'must be above zero: base rates price it')
  const size = { vcpus: vm.cpu_cores, ramGib: vm.ram_gb }
  return baseOffer({ ...spec, provider: baseProvider.key, service: baseProvider.service }, size)
}

/** Prices a custom type at the rates of custom types if they are known, else at those of the family, which come close. */
function customPrice(catalogue: Catalogue, spec: InstanceSpec, custom: CustomType): Offer | undefined {
  for (const term of termsFor(spec.usageType))
    for (const family of [custom.customFamily, custom.family]) {
      const query = { ...spec, family, term, zone: '' }
      const rates = familyRatesIn(catalogue, query)
      if (rates === null) continue
      const [sibling] = catalogue.familyOffers(query)
      // The names are those of the list, whatever the letter case of the request.
      const named = { ...spec, region: sibling!.region, instanceType: spec.instanceType.toLowerCase() }
      return customOffer(named, custom, rates, sibling!, family === custom.customFamily)
    }
  return undefined
}

/** Names of services that were accepted so far: comparing names again takes longer than finding the price. */
const accepted = new WeakMap<Provider, Set<string>>()
const mostAccepted = 100

function sellsService(provider: Provider, service: string): boolean {
  const known = accepted.get(provider) ?? new Set<string>()
  if (known.has(service)) return true
  if (!namesAnyCompute(service) && !isServiceOf(provider, service)) return false
  if (known.size < mostAccepted) accepted.set(provider, known.add(service))
  return true
}

/** Returns the caller's own price of the instance. Names match in any letter case, and exact spellings take precedence. */
function ownOffer({ catalogues }: OwnPrices, spec: InstanceSpec): Offer | NotFound | undefined {
  if (catalogues.length === 0) return undefined
  const name = spec.provider.toLowerCase()
  const services = catalogues.flatMap((own) =>
    own.facets().flatMap((facets) => (facets.provider.toLowerCase() === name ? facets.services : [])),
  )
  if (services.length === 0) return undefined
  const { service, ...query } = spec
  const anyService = namesAnyCompute(service)
  if (!anyService && !services.some((own) => own.toLowerCase() === service.toLowerCase())) {
    return fieldNotFound('/service', knownNames([...new Set(services)].sort()))
  }
  const offers = catalogues.flatMap((own) => own.offersOf({ ...query, ...(anyService ? {} : { service }) }))
  return chooseCurrent(spelledAs(spec, offers), spec)
}

const anyCompute = ['', 'compute', 'vm', 'vms', 'virtualmachine', 'virtualmachines', 'instance', 'instances']

export const namesAnyCompute = (service: string): boolean => anyCompute.includes(foldName(service))

/** In order of importance: each outweighs all that follow. */
const names = ['provider', 'instanceType', 'region', 'service', 'zone'] as const

/**
 * Returns the offers whose names are spelled most like the request: prices may be registered under names that
 * differ only in letter case.
 */
function spelledAs(spec: InstanceSpec, offers: readonly Offer[]): readonly Offer[] {
  if (offers.length < 2) return offers
  const exactness = (offer: Offer): number =>
    names.reduce((sum, name) => 2 * sum + (offer[name] === spec[name] ? 1 : 0), 0)
  const most = Math.max(...offers.map(exactness))
  return offers.filter((offer) => exactness(offer) === most)
}

/** Returns the traits of the current machine. A custom type is as fast as its family. */
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

/** Rates by catalogue. A catalogue never changes, so neither do its rates; they are freed together with it. */
const ratesByCatalogue = new WeakMap<Catalogue, Map<string, Rates | null>>()
const maxRates = 50_000

export function familyRatesIn(catalogue: Catalogue, at: RateKey): Rates | null {
  if (at.family === '') return null
  let rates = ratesByCatalogue.get(catalogue)
  if (rates === undefined || rates.size >= maxRates) {
    rates = new Map()
    ratesByCatalogue.set(catalogue, rates)
  }
  const key = `${at.provider}\n${at.family}\n${at.region}\n${at.operatingSystem}\n${at.usageType}\n${at.term}\n${at.zone}`
  let found = rates.get(key)
  if (found === undefined) {
    found = familyRates(catalogue.familyOffers(at))
    rates.set(key, found)
  }
  return found
}
