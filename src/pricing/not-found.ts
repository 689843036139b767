import type { Catalogue } from '../catalogue/catalogue.ts'
import { nearestNames, nearestOfAny } from '../catalogue/names/suggest.ts'
import { NotFound } from '../domain/not-found.ts'
import { type InstanceSpec, type Offer, type OperatingSystem, operatingSystems } from '../domain/offer.ts'
import { Problem } from '../domain/problem.ts'
import type { Provider } from '../domain/provider.ts'
import type { Market, PricingDeps } from './market.ts'
import type { OwnPrices } from './own-prices/own-prices.ts'

const maxNames = 5
const maxRegions = 10
const maxListed = 100

export const knownNames = (names: readonly string[]): string =>
  `is not known; known names: ${names.join(', ')}`

export const invalidField = (pointer: string, message: string): Problem =>
  new Problem('invalid', `${pointer} ${message}.`, { errors: [{ pointer, message }] })

export const fieldNotFound = (pointer: string, message: string): NotFound =>
  new NotFound('invalid', `${pointer} ${message}.`, { errors: [{ pointer, message }] })

export function unknownProvider(deps: PricingDeps, own: OwnPrices, name: string): NotFound {
  const names = [
    ...deps.providers.map(({ displayName }) => displayName),
    ...own.catalogues.flatMap((catalogue) => catalogue.facets().map(({ provider }) => provider)),
  ]
  return new NotFound('unknown-provider', `No provider is named ${quoted(name)}.`, {
    nearest: { providers: nearestOrAll(name, [...new Set(names)]) },
  })
}

/** Names the first thing that is unknown: the region, the type, or only this price of it. */
export function noPrice(
  { catalogue, own }: Market,
  spec: InstanceSpec,
  provider: Provider | undefined,
): NotFound {
  const key = provider?.key ?? spec.provider
  const providerName = provider?.displayName ?? spec.provider
  const searched = [catalogue, ...own.catalogues]
  // A marketplace may contain providers whose names differ only in letter case.
  const facets = searched.flatMap((c) => c.facets()).filter((f) => hasName([key], f.provider))
  const regions = [...new Set(facets.flatMap((f) => f.regions))]
  const types = [...new Set(facets.flatMap((f) => f.types))]
  if (!hasName(regions, spec.region)) {
    return new NotFound(
      'unknown-region',
      `The catalogue has no region ${quoted(spec.region)} of ${providerName}.`,
      { nearest: { regions: nearestOrAll(spec.region, regions) } },
    )
  }
  if (!hasName(types, spec.instanceType)) {
    return unknownType(provider, providerName, spec.instanceType, types)
  }
  const services = servicesOf(own, spec)
  if (services.length > 0) {
    return new NotFound(
      'no-price',
      `${providerName} has ${quoted(spec.instanceType)} there, but as the service ${services.map(quoted).join(' or ')}, ` +
        `not ${quoted(spec.service)}.`,
      { nearest: { services } },
    )
  }
  return new NotFound(
    'no-price',
    `${providerName} has ${quoted(spec.instanceType)}, but no ${spec.usageType} price of it with ` +
      `${spec.operatingSystem} in ${quoted(spec.region)}.`,
    { nearest: onOffer(searched, { ...spec, provider: key }, regions) },
  )
}

/** The message speaks of the catalogue, because the provider itself may have the type. */
export function unknownType(
  provider: Provider | undefined,
  name: string,
  instanceType: string,
  types: readonly string[],
): NotFound {
  const wrong = provider?.wrongWithCustomType?.(instanceType)
  const providerName = provider?.displayName ?? name
  const why = wrong === undefined ? '' : `: ${wrong}`
  return new NotFound(
    'unknown-instance-type',
    `The catalogue has no type ${quoted(instanceType)} of ${providerName}${why}.`,
    { nearest: { instance_types: nearestTypes(provider, instanceType, types) } },
  )
}

/**
 * Returns types of the same series if there is one, because a type of another series is not similar; else types
 * with a similar spelling.
 */
export function nearestTypes(
  provider: Provider | undefined,
  name: string,
  types: readonly string[],
): readonly string[] {
  if (name.trim() === '') return []
  const full = provider?.otherTypeNames?.(name)[0] ?? name
  const series = seriesOf(full)
  const siblings = types.filter((type) => seriesOf(type) === series)
  return siblings.length > 0 ? nearestOfAny(full, siblings, maxNames) : nearestNames(full, types, maxNames)
}

/**
 * Returns the letters at the beginning of a name, after a tier: Standard_NC6s_v3 is of NC, m5.xlarge
 * of m, n2-standard-4 of n.
 */
const seriesOf = (name: string): string => /^(?:[a-z]+_)?([a-z]+)/i.exec(name)?.[1]?.toLowerCase() ?? ''

function servicesOf({ catalogues }: OwnPrices, { service: _, ...query }: InstanceSpec): string[] {
  const offers = catalogues.flatMap((own) => own.offersOf(query))
  return [...new Set(offers.map((offer) => offer.service))].sort()
}

/**
 * Returns what exists of the type: usage types and operating systems in the region, and the regions that have
 * exactly what was requested.
 */
function onOffer(searched: readonly Catalogue[], spec: InstanceSpec, regions: readonly string[]) {
  const { service: _, usageType, ...query } = spec
  const at = (region: string, operatingSystem: OperatingSystem): Offer[] =>
    searched.flatMap((c) => c.offersOf({ ...query, region, operatingSystem }))
  const here = operatingSystems.flatMap((system) => at(spec.region, system))
  const sameSystem = here.filter((offer) => offer.operatingSystem === spec.operatingSystem)
  const elsewhere = regions.filter((region) =>
    at(region, spec.operatingSystem).some((offer) => offer.usageType === usageType),
  )
  return {
    usage_types: [...new Set(sameSystem.map((offer) => offer.usageType))].sort(),
    operating_systems: [...new Set(here.map((offer) => offer.operatingSystem))].sort(),
    regions: [...new Set([...nearestNames(spec.region, elsewhere, maxNames), ...elsewhere])].slice(
      0,
      maxRegions,
    ),
  }
}

/** Returns similar names, or all names if none is similar: providers and regions are few enough to be listed. */
export function nearestOrAll(name: string, names: readonly string[]): readonly string[] {
  const nearest = nearestNames(name, names, maxNames)
  return nearest.length > 0 ? nearest : names.slice(0, maxListed)
}

const hasName = (names: readonly string[], name: string): boolean =>
  names.some((other) => other.toLowerCase() === name.toLowerCase())

/** Quotes what a caller sent, shortened if it is long. */
export const quoted = (name: string): string =>
  JSON.stringify(name.length > 80 ? `${name.slice(0, 80)}...` : name)
