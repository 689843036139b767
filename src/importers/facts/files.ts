import type { Provider } from '../../domain/provider.ts'
import { awsProvider } from '../aws.ts'
import { awsArchitectureRules, isAwsAccelerated } from '../aws-sizes.ts'
import { azureProvider, parseAzureName } from '../azure.ts'
import { azureArchitectureRules, azureSizeRules, isAzureAccelerated } from '../azure-sizes.ts'
import { digitaloceanProvider } from '../digitalocean.ts'
import { gcpProvider, isGcpInRegion, isGcpSold } from '../gcp.ts'
import { hetznerProvider } from '../hetzner.ts'
import type { FillRules } from '../machine.ts'
import {
  civoProvider,
  linodeProvider,
  scalewayProvider,
  upcloudProvider,
  vultrProvider,
} from '../optional-providers.ts'
import { ovhcloudProvider } from '../ovhcloud.ts'
import { FactsError, readCsvTable } from './table.ts'

/** How a provider's facts are read. The file is named after the provider's key. */
export interface FactsFile {
  readonly provider: Provider
  readonly fill: FillRules
  /** Returns the regions that a name such as "global" or "eu" means. */
  expand?(directory: string): Promise<ReadonlyMap<string, readonly string[]>>
  /** Returns the zones that are listed separately from the prices. */
  zones?(directory: string): Promise<readonly { region: string; zone: string }[]>
}

export const factsFiles: readonly FactsFile[] = [
  {
    provider: awsProvider,
    // The old small types are listed as i386 although each runs x86_64 as well:
    // https://docs.aws.amazon.com/ec2/latest/instancetypes/gp.html (t2), pg.html (t1, m1, c1, c3)
    fill: {
      architectures: awsArchitectureRules,
      isAccelerated: isAwsAccelerated,
      runsAs: { i386: 'x86_64' },
    },
  },
  {
    provider: azureProvider,
    fill: {
      sizes: azureSizeRules,
      architectures: azureArchitectureRules,
      isAccelerated: isAzureAccelerated,
      // The list has 64 vCPUs for M64-32bds_1_v3, which has 32.
      vcpusOf: (instanceType) => parseAzureName(instanceType)?.constrainedVcpus ?? null,
    },
  },
  {
    provider: gcpProvider,
    fill: { isSold: isGcpSold, isInRegion: isGcpInRegion },
    zones: readZones,
  },
  {
    provider: digitaloceanProvider,
    fill: {},
    expand: async (directory) => new Map([['global', await readAvailableRegions(directory)]]),
  },
  { provider: hetznerProvider, fill: {} },
  {
    provider: ovhcloudProvider,
    fill: {},
    // The regions of that price, as the README of the price facts names them.
    expand: async () => new Map([['eu', ['GRA9', 'GRA11', 'RBX-A', 'SBG5', 'DE1', 'UK1', 'WAW1']]]),
  },
  { provider: linodeProvider, fill: {} },
  { provider: vultrProvider, fill: {} },
  { provider: scalewayProvider, fill: {} },
  { provider: upcloudProvider, fill: {} },
  { provider: civoProvider, fill: {} },
]

/** Reads the regions in which machines can be ordered today. */
async function readAvailableRegions(directory: string): Promise<string[]> {
  const regions: string[] = []
  await readCsvTable(
    directory,
    'regions-digitalocean',
    ['slug', 'name', 'available'],
    ([slug = '', , available]) => {
      if (slug !== '' && available === 'true') regions.push(slug)
    },
  )
  if (regions.length === 0)
    throw new FactsError(`regions-digitalocean.csv.gz in ${directory} has no available region`)
  return regions
}

async function readZones(directory: string): Promise<{ region: string; zone: string }[]> {
  const zones: { region: string; zone: string }[] = []
  const columns = ['NAME', 'REGION', 'STATUS', 'NEXT_MAINTENANCE', 'TURNDOWN_DATE']
  await readCsvTable(
    directory,
    'zones-gcp',
    columns,
    ([zone = '', region = '', status]) => {
      if (zone !== '' && region !== '' && status === 'UP') zones.push({ region, zone })
    },
    ';',
  )
  return zones
}
