import type { Catalogue } from '../catalogue/catalogue.ts'
import { entityTagOf } from '../domain/cursor.ts'
import type { Provider } from '../domain/provider.ts'
import type { PricingDeps } from './market.ts'
import type { ProviderDescriptor } from './schema.ts'

interface ProviderList {
  readonly providers: Readonly<Record<string, ProviderDescriptor>>
  readonly json: string
  readonly etag: string
}

const lists = new WeakMap<Catalogue, { list: ProviderList; of: readonly Provider[] }>()

/** Lists the providers as the loaded catalogue has them. The list is made once per catalogue. */
export function listProviders({
  catalogue: loaded,
  providers,
}: Pick<PricingDeps, 'catalogue' | 'providers'>): ProviderList {
  const catalogue = loaded()
  const known = lists.get(catalogue)
  if (known?.of === providers) return known.list
  const descriptors = Object.fromEntries(
    providers.map((provider) => [provider.key, describe(catalogue, provider)]),
  )
  const json = JSON.stringify(descriptors)
  const list = { providers: descriptors, json, etag: entityTagOf(json) }
  lists.set(catalogue, { list, of: providers })
  return list
}

function describe(catalogue: Catalogue, { key, displayName, zonesOfEveryRegion = [] }: Provider) {
  const facets = catalogue.facets().find(({ provider }) => provider === key)
  const none = { provider: displayName, predicates: noPredicates }
  if (facets === undefined) return none
  return {
    provider: displayName,
    predicates: {
      regions: facets.regions,
      usage_types: facets.usageTypes,
      availability_zones: [...new Set([...facets.zones, ...zonesOfEveryRegion])].sort(),
      providers: [displayName],
      operating_systems: facets.operatingSystems,
      services: facets.services,
    },
  }
}

const noPredicates = {
  regions: [],
  usage_types: [],
  availability_zones: [],
  providers: [],
  operating_systems: [],
  services: [],
}
