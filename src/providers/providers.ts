import { memoizeNames } from '../domain/names.ts'
import type { Provider } from '../domain/provider.ts'
import { aws } from './aws/cloud.ts'
import { azure } from './azure/cloud.ts'
import type { Cloud } from './cloud.ts'
import { civo, linode, upcloud, vultr } from './declared-only.ts'
import { digitalocean } from './digitalocean/cloud.ts'
import { gcp } from './gcp/cloud.ts'
import { hetzner } from './hetzner/cloud.ts'
import { ovhcloud } from './ovhcloud/cloud.ts'
import { scaleway } from './scaleway/cloud.ts'

/** Machines without a cloud, priced at the base rates of domain/money.ts. It has no offers and no predicates. */
export const baseProvider: Provider = {
  key: 'base',
  displayName: 'Base',
  service: 'BaseCompute',
  aliases: [],
  serviceAliases: ['base compute'],
  onByDefault: true,
  isZoneInRegion: () => false,
  familyOf: () => '',
  burstableBaselineOf: () => null,
}

/** All providers, in the order in which they are listed and read. How to add one: README.md beside this file. */
const clouds: readonly Cloud[] = [
  aws, // zone ids, spot per zone, burstable t types; one very large price list a region
  azure, // zones 1 to 3 in any region, sizes in the names; hundreds of pages of prices
  gcp, // core and GiB rates, custom types; prices need an API key
  digitalocean, // one price in all regions, monthly cap; prices need a token
  hetzner, // priced in euro, monthly cap; prices need a token
  ovhcloud, // priced in euro, one price in the European regions; OpenStack
  { provider: baseProvider }, // no cloud: default rates
  linode, // off unless turned on; monthly cap
  vultr, // off unless turned on; monthly cap
  scaleway, // off unless turned on; priced per zone, in euro
  upcloud, // off unless turned on; priced in euro
  civo, // off unless turned on
]

export const providers: readonly Provider[] = clouds.map(({ provider }) => provider)

/** Loads one member of every cloud that has it, in the order of the list. */
export const loadOfClouds = <Part>(
  member: (cloud: Cloud) => Promise<Part> | undefined,
): Promise<readonly Part[]> => Promise.all(clouds.flatMap((cloud) => member(cloud) ?? []))

/** Finds a provider by key, display name or alias, in any letter case and with any separators between the words. */
export const findProvider = memoizeNames((name): Provider | undefined => byName.get(foldName(name)))

/** Whether a service name, in any of the forms its users write, is the provider's service. */
export function isServiceOf(provider: Provider, service: string): boolean {
  const folded = foldName(service)
  return (
    foldName(provider.service) === folded ||
    provider.serviceAliases.some((alias) => foldName(alias) === folded)
  )
}

/** Folds a name for comparison: "Google Cloud", "google-cloud" and "GOOGLE_CLOUD" are equal. */
export const foldName = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '')

const byName = new Map(
  providers.flatMap((provider) =>
    [provider.key, provider.displayName, ...provider.aliases].map(
      (name) => [foldName(name), provider] as const,
    ),
  ),
)
