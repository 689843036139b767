import { memoizeNames } from '../domain/names.ts'
import type { Provider } from '../domain/provider.ts'
import { awsProvider } from './aws.ts'
import { azureProvider } from './azure.ts'
import { digitaloceanProvider } from './digitalocean.ts'
import { gcpProvider } from './gcp.ts'
import { hetznerProvider } from './hetzner.ts'
import {
  civoProvider,
  linodeProvider,
  scalewayProvider,
  upcloudProvider,
  vultrProvider,
} from './optional-providers.ts'
import { ovhcloudProvider } from './ovhcloud.ts'

/** Machines without a cloud, priced at the base rates of domain/money.ts. It has no offers and no predicates. */
export const baseProvider: Provider = {
  key: 'base',
  displayName: 'Base',
  service: 'BaseCompute',
  aliases: [],
  serviceAliases: ['base compute'],
  onByDefault: true,
  zoneLiesIn: () => false,
  familyOf: () => '',
  burstableBaselineOf: () => null,
}

/** All providers, in the order in which they are listed and imported. How to add one: README.md beside this file. */
export const providers: readonly Provider[] = [
  awsProvider, // zone ids, spot per zone, burstable t types
  azureProvider, // zones 1 to 3 in any region, sizes in the names
  gcpProvider, // core and GiB rates, custom types
  digitaloceanProvider, // one price in all regions, monthly cap
  hetznerProvider, // priced in euro, monthly cap
  ovhcloudProvider, // priced in euro, one price in the European regions
  baseProvider, // no cloud: default rates
  linodeProvider, // off unless turned on; monthly cap
  vultrProvider, // off unless turned on; monthly cap
  scalewayProvider, // off unless turned on; priced per zone, in euro
  upcloudProvider, // off unless turned on; priced in euro
  civoProvider, // off unless turned on
]

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
