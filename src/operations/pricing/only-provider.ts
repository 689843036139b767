import type { Catalogue } from '../../catalogue/catalogue.ts'
import type { OffersQuery } from '../../catalogue/search/lookup.ts'
import type { Provider } from '../../domain/provider.ts'
import type { PricingDeps } from './deps.ts'

/** Finds the provider of a machine that reports none: the only one with such a type in the region; undefined if several have it. */
export function onlyProviderOf(
  { providers }: Pick<PricingDeps, 'providers'>,
  catalogue: Catalogue,
  machine: Pick<OffersQuery, 'region' | 'instanceType' | 'operatingSystem'>,
): Provider | undefined {
  const { region, instanceType, operatingSystem } = machine
  if (region === '' || instanceType === '') return undefined
  const sellers = providers.filter(
    ({ key }) => catalogue.offersOf({ provider: key, region, instanceType, operatingSystem }).length > 0,
  )
  return sellers.length === 1 ? sellers[0] : undefined
}
