import { memoizeNames } from '../domain/memoize-names.ts'
import type { Provider } from '../domain/provider.ts'
import { aws } from './aws.ts'
import { azure } from './azure.ts'
import { base } from './base.ts'
import { civo } from './civo.ts'
import { digitalocean } from './digitalocean.ts'
import { gcp } from './gcp.ts'
import { hetzner } from './hetzner.ts'
import { linode } from './linode.ts'
import { ovhcloud } from './ovhcloud.ts'
import { scaleway } from './scaleway.ts'
import { upcloud } from './upcloud.ts'
import { vultr } from './vultr.ts'

/** Every provider there is, in the order in which they are listed and imported. How to add one: README.md beside this file. */
export const providers: readonly Provider[] = [
  aws, // zone ids, spot per zone, burstable t types
  azure, // zones 1 to 3 in any region, sizes in the names
  gcp, // core and GiB rates, custom types
  digitalocean, // one price in all regions, monthly cap
  hetzner, // priced in euro, monthly cap
  ovhcloud, // priced in euro, one price in the European regions
  base, // no cloud: default rates
  linode, // off unless turned on; monthly cap
  vultr, // off unless turned on; monthly cap
  scaleway, // off unless turned on; priced per zone, in euro
  upcloud, // off unless turned on; priced in euro
  civo, // off unless turned on
]

/** By key, display name or alias, in any letter case, whatever stands between the words. */
export const findProvider = memoizeNames((name): Provider | undefined => byName.get(foldName(name)))

/** Whether a service name, in any of the forms its users write, is the provider's service. */
export function isServiceOf(provider: Provider, service: string): boolean {
  const folded = foldName(service)
  return (
    foldName(provider.service) === folded ||
    provider.serviceAliases.some((alias) => foldName(alias) === folded)
  )
}

/** How names are compared: "Google Cloud", "google-cloud" and "GOOGLE_CLOUD" are one. */
export const foldName = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '')

const byName = new Map(
  providers.flatMap((provider) =>
    [provider.key, provider.displayName, ...provider.aliases].map(
      (name) => [foldName(name), provider] as const,
    ),
  ),
)
