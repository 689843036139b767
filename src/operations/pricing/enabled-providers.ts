import type { Provider } from '../../domain/provider.ts'
import { findProvider, providers } from '../../importers/providers.ts'

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
