import type { Catalogue } from '../catalogue/catalogue.ts'
import type { ExchangeRate } from '../domain/manifest.ts'
import type { Provider } from '../domain/provider.ts'
import { findProvider, providers } from '../providers/providers.ts'
import type { Commitment } from './commitments/commitment.ts'
import type { OwnPrices } from './own-prices/own-prices.ts'
import type { RuledPrices } from './rules/ruled-prices.ts'

export interface PricingDeps {
  /** Returns the catalogue that CatalogueHolder holds now. The next request may get another one. */
  catalogue(): Catalogue
  /** The providers that are turned on, in the order in which they are listed. */
  readonly providers: readonly Provider[]
  findProvider(name: string): Provider | undefined
  /** Returns the own prices of an organisation, from OwnPriceCache. There are none offline. */
  own(organisation: string): OwnPrices | Promise<OwnPrices>
  /** Returns all prices as the organisation's price rules change them; undefined if it has none. Absent offline. */
  ruled?(organisation: string): RuledPrices | undefined | Promise<RuledPrices | undefined>
  /** The rate at which prices in another currency were converted; null if none was. */
  exchange?(): ExchangeRate | null
  /** Returns what the organisation has bought in advance. Absent offline. */
  commitments?(organisation: string): Promise<readonly Commitment[]>
}

/** One catalogue and one set of own prices for the whole request, even if they are replaced in the meantime. */
export interface Market {
  readonly catalogue: Catalogue
  readonly own: OwnPrices
  readonly ruled?: RuledPrices | undefined
}

/**
 * Returns the market without a Promise if the own prices are in memory: awaiting a value that is already there costs as
 * much as finding the current price.
 */
export function marketOf(deps: PricingDeps, organisation: string): Market | Promise<Market> {
  const own = deps.own(organisation)
  const ruled = deps.ruled?.(organisation)
  const market = (prices: OwnPrices, changed: RuledPrices | undefined): Market =>
    changed === undefined
      ? { catalogue: deps.catalogue(), own: prices }
      : { catalogue: changed.catalogue, own: prices, ruled: changed }
  return own instanceof Promise || ruled instanceof Promise
    ? Promise.all([own, ruled]).then(([prices, changed]) => market(prices, changed))
    : market(own, ruled)
}

/** Used without a marketplace: offline, with only the shipped catalogue. */
export const noOwnPrices: OwnPrices = { catalogues: [], entries: 0, version: 0, rawOf: () => '{}' }

interface EnabledProviders {
  readonly providers: readonly Provider[]
  findProvider(name: string): Provider | undefined
}

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
