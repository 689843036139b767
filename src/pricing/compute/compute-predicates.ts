import { parseOperatingSystem } from '../../domain/names.ts'
import { type Offer, type OperatingSystem, operatingSystems } from '../../domain/offer.ts'
import { isServiceOf } from '../../providers/providers.ts'
import { namesAnyCompute } from '../find-current.ts'
import type { Market, PricingDeps } from '../market.ts'
import { invalidField, knownNames } from '../not-found.ts'
import { marketplaceSource } from '../own-prices/own-prices.ts'
import type { RequestPredicates } from '../request/request.ts'
import type { ComputeQuestion } from './schema.ts'

/** The contract's predicates, and services and operating systems. */
type ComputePredicates = NonNullable<ComputeQuestion['predicates']>

interface Restriction {
  readonly limits: RequestPredicates
  readonly accepts?: ((offer: Offer) => boolean) | 'none'
  /**
   * The operating system of candidates: that of the current instance if it is allowed, otherwise the first one named.
   */
  operatingSystem(current: OperatingSystem): OperatingSystem
}

/**
 * A service limits the search to the providers that have it. If a marketplace provider has several services, only
 * offers of the named ones are accepted.
 */
export function restrict(deps: PricingDeps, market: Market, given: ComputePredicates): Restriction {
  const { services = [], operating_systems: systems = [], ...limits } = given
  const allowed = isLifted(systems) ? [] : systems.map(parseSystem)
  const operatingSystem = (current: OperatingSystem) =>
    allowed.length === 0 || allowed.includes(current) ? current : allowed[0]!
  if (services.length === 0 || isLifted(services) || services.some(namesAnyCompute))
    return { limits, operatingSystem }
  const having = services.flatMap((service, i) => providersWith(deps, market, service, i))
  const names = new Set(services.map((service) => service.toLowerCase()))
  const accepts = (offer: Offer) =>
    offer.source !== marketplaceSource || names.has(offer.service.toLowerCase())
  const { providers = [] } = limits
  if (providers.length === 0 || isLifted(providers))
    return { limits: { ...limits, providers: having }, operatingSystem, accepts }
  const asked = new Set(providers.map((name) => (deps.findProvider(name)?.key ?? name).toLowerCase()))
  const both = having.filter((name) => asked.has(name.toLowerCase()))
  if (both.length === 0) return { limits, operatingSystem, accepts: 'none' }
  return { limits: { ...limits, providers: both }, operatingSystem, accepts }
}

const isLifted = (names: readonly string[]): boolean => names.includes('*')

function parseSystem(name: string, i: number): OperatingSystem {
  const system = parseOperatingSystem(name)
  if (system === undefined)
    throw invalidField(`/predicates/operating_systems/${i}`, knownNames(operatingSystems))
  return system
}

function providersWith(deps: PricingDeps, { own }: Market, service: string, i: number): string[] {
  const builtIn = deps.providers.filter((provider) => isServiceOf(provider, service)).map(({ key }) => key)
  const facets = own.catalogues.flatMap((catalogue) => catalogue.facets())
  const registered = facets.filter(({ services }) =>
    services.some((name) => name.toLowerCase() === service.toLowerCase()),
  )
  const found = [...builtIn, ...registered.map(({ provider }) => provider)]
  const known = deps.providers.map((provider) => provider.service)
  if (found.length === 0) throw invalidField(`/predicates/services/${i}`, knownNames(known))
  return found
}
