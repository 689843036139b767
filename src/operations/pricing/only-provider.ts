import type { Catalogue } from '../../catalogue/catalogue.ts'
import type { OffersQuery } from '../../catalogue/search/lookup.ts'
import type { Provider } from '../../domain/provider.ts'
import type { PricingDeps } from './deps.ts'

/** Of a machine whose provider nobody tells: the only one that has such a type in the region; undefined where several do. */
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
