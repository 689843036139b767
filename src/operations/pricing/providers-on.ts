import type { Provider } from '../../domain/provider.ts'
import { findProvider, providers } from '../../importers/providers.ts'

export interface ProvidersOn {
  /** In the order of the list. */
  readonly providers: readonly Provider[]
  findProvider(name: string): Provider | undefined
}

/** Those that are on by default and those that an operator names. */
export function providersOn(more: readonly string[]): ProvidersOn {
  const named = more.map((name) => {
    const found = findProvider(name)
    if (found === undefined)
      throw new UnknownProvider(`There is no provider ${JSON.stringify(name)} to turn on`)
    return found
  })
  const on = providers.filter((provider) => provider.onByDefault || named.includes(provider))
  return {
    providers: on,
    findProvider: (name) => {
      const found = findProvider(name)
      return found !== undefined && on.includes(found) ? found : undefined
    },
  }
}

export class UnknownProvider extends Error {
  override readonly name = 'UnknownProvider'
}
