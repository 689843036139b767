import type { Catalogue } from '../catalogue/catalogue.ts'
import type { Provider } from '../domain/provider.ts'
import { findProvider, providers } from '../importers/providers.ts'
import type { OwnPrices } from './own-prices.ts'

/** What pricing needs. */
export interface PricingDeps {
  /** The one that CatalogueHolder holds now: it may be another one at the next request. */
  catalogue(): Catalogue
  /** Those that are turned on, in the order in which they are listed. */
  readonly providers: readonly Provider[]
  /** One of those that are turned on, by any of its names. */
  findProvider(name: string): Provider | undefined
  /** As OwnPriceCache has them; none offline. */
  own(organisation: string): OwnPrices | Promise<OwnPrices>
}

/** One catalogue and one set of own prices for the whole of a request, whatever is swapped meanwhile. */
export interface Market {
  readonly catalogue: Catalogue
  readonly own: OwnPrices
}

/** At once where the own prices are at hand: waiting for what is there costs as much as finding the current price. */
export function marketOf(deps: PricingDeps, organisation: string): Market | Promise<Market> {
  const own = deps.own(organisation)
  if (own instanceof Promise) return own.then((prices) => ({ catalogue: deps.catalogue(), own: prices }))
  return { catalogue: deps.catalogue(), own }
}

/** Where there is no marketplace: offline, on the shipped catalogue alone. */
export const noOwnPrices: OwnPrices = { catalogues: [], entries: 0, version: 0, rawOf: () => '{}' }

interface EnabledProviders {
  /** In the order of the list. */
  readonly providers: readonly Provider[]
  findProvider(name: string): Provider | undefined
}

/** Those that are on by default and those that an operator names. */
export function enabledProviders(more: readonly string[]): EnabledProviders {
  const named = providerKeys(more)
  const on = providers.filter(({ onByDefault, key }) => onByDefault || named.includes(key))
  return {
    providers: on,
    findProvider: (name) => {
      const found = findProvider(name)
      return found !== undefined && on.includes(found) ? found : undefined
    },
  }
}

/** The keys of providers by any of their names; throws UnknownProvider. */
export function providerKeys(names: readonly string[]): string[] {
  return names.map((name) => {
    const found = findProvider(name)
    if (found === undefined) throw new UnknownProvider(`There is no provider ${JSON.stringify(name)}`)
    return found.key
  })
}

export class UnknownProvider extends Error {
  override readonly name = 'UnknownProvider'
}
