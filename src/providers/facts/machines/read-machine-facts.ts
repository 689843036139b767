import { type MachineFactsFile, machineFactSections } from '../../../domain/machine-facts.ts'
import { awsProvider } from '../../aws/provider.ts'
import { azureProvider } from '../../azure/provider.ts'
import { providers } from '../../providers.ts'
import { FactsError, readCsvTable } from '../table.ts'
import { readSpeeds, type SizeOf, unknownBaselines } from './read-speeds.ts'
import * as rows from './tables.ts'

/** One file for each licence: figures of Spare Cores are share-alike and stay in their own file. */
interface MachineFactsFiles {
  readonly permissive: MachineFactsFile
  readonly shareAlike: MachineFactsFile
}

type SectionName = (typeof machineFactSections)[number]
type Sections = { [S in SectionName]: MachineFactsFile[S][number][] }

/** Sizes are those of the price catalogue. Throws FactsError if anything is wrong: all or nothing. */
export async function readMachineFacts(directory: string, sizeOf: SizeOf): Promise<MachineFactsFiles> {
  const files = { permissive: emptySections(), shareAlike: emptySections() }
  const fileOf = (source: string) => (/spare ?cores/i.test(source) ? files.shareAlike : files.permissive)
  for (const [table, columns, section, rowOf] of factTables)
    await readNamed(directory, table, columns.split(' '), (fields) => {
      const row = rowOf(fields)
      if (row !== undefined) (fileOf(fields.source ?? '')[section] as unknown[]).push(row)
    })
  const { shareAlike, permissive } = files
  for (const [provider, pattern] of unknownBaselines) permissive.kinds.push([provider, pattern, 'custom'])
  permissive.carbon = latestYears(permissive.carbon)
  const spot = await readSpotBands(directory)
  permissive.spotRegions.push([awsProvider.key, spot.day, spot.regions])
  for (const row of spot.bands) permissive.spotBands.push([awsProvider.key, ...row])
  await readNamed(
    directory,
    'cpus',
    'provider instance_type cpu_model architecture vcpus threads_per_core seen_on source'.split(' '),
    ({ provider, instance_type, cpu_model }) => {
      if (cpu_model !== '') shareAlike.processors.push([provider!, instance_type!, cpu_model!])
    },
  )
  shareAlike.speeds.push(...(await readSpeeds(directory, sizeOf, [...shareAlike.vcpus, ...permissive.vcpus])))
  if (permissive.generations.length === 0) throw new FactsError(`${directory} has no generations`)
  return {
    permissive: { format: 1, licence: 'Apache-2.0', credits: permissiveCredits, ...onlyKnown(permissive) },
    shareAlike: {
      format: 1,
      licence: 'CC BY-SA 4.0',
      credits: [
        'SpareCores/sc-inspector-data, SpareCores/sc-data-dumps: Spare Cores, https://sparecores.com',
      ],
      ...onlyKnown(shareAlike),
    },
  }
}

type FactTable = {
  [S in SectionName]: readonly [
    file: string,
    columns: string,
    section: S,
    rowOf: (fields: Record<string, string>) => Sections[S][number] | undefined,
  ]
}[SectionName]

/** The tables whose rows become rows of a section one by one, in the order in which they are read. */
const factTables: readonly FactTable[] = [
  [
    'generations',
    'provider instance_type generation retires_on note source',
    'generations',
    rows.generationRow,
  ],
  [
    'storage-network',
    'provider instance_type local_disk_gib local_disk_kind local_disk_is_root network_gbps_baseline network_gbps_max source',
    'disks',
    rows.diskRow,
  ],
  ['special-kinds', 'provider pattern kind note source', 'kinds', rows.kindRow],
  ['vcpu-rules', 'provider rank pattern vcpu_kind note source', 'vcpus', rows.vcpuRow],
  [
    'aws-accelerators',
    'instance_type gpu_count gpu_name accelerator_kind memory_mib_each source',
    'accelerators',
    (fields) => rows.acceleratorRow(awsProvider.key, fields),
  ],
  [
    'azure-gpus',
    'instance_type gpu_count gpu_name accelerator_kind basis source',
    'accelerators',
    (fields) => rows.acceleratorRow(azureProvider.key, fields),
  ],
  [
    'regions',
    'provider region country continent city latitude longitude partition price_region source',
    'regions',
    rows.regionRow,
  ],
  [
    'machine-power',
    'provider instance_type min_watts max_watts embodied_kgco2e_platform method source',
    'power',
    rows.powerRow,
  ],
  ['carbon', 'provider region gco2e_per_kwh year carbon_free_share scope source', 'carbon', rows.carbonRow],
]

/** Sources that NOTICE lists. */
const permissiveCredits = [
  'vantage-sh/ec2instances.info (MIT)',
  'MicrosoftDocs/azure-compute-docs, MicrosoftDocs/reliability-docs (CC BY 4.0)',
  'Google Cloud documentation (CC BY 4.0)',
  'getmoto/moto, ManageIQ/manageiq-providers-amazon, Cyclenerd/google-cloud-compute-machine-types, boxcutter/oci, alexei-led/spotinfo, GoogleCloudPlatform/region-carbon-info, cloud-carbon-footprint/ccf-coefficients (Apache-2.0)',
  'mlco2/codecarbon (MIT), Our World in Data (CC BY 4.0)',
  'mixxor/eu-cloud-prices (figures)',
]

const emptySections = (): Sections =>
  Object.fromEntries(machineFactSections.map((name) => [name, []])) as unknown as Sections

function onlyKnown(sections: Sections): Sections {
  const keys = new Set(providers.map(({ key }) => key))
  const known = machineFactSections.map((name) => [
    name,
    sections[name].filter(([provider]) => keys.has(provider)),
  ])
  return Object.fromEntries(known) as Sections
}

function latestYears(carbon: Sections['carbon']): Sections['carbon'] {
  const latest = new Map<string, Sections['carbon'][number]>()
  for (const row of carbon) {
    const key = `${row[0]}\n${row[1]}`
    const seen = latest.get(key)
    if (seen === undefined || (row[3] ?? 0) >= (seen[3] ?? 0)) latest.set(key, row)
  }
  return [...latest.values()]
}

async function readNamed(
  directory: string,
  table: string,
  columns: readonly string[],
  onRow: (fields: Record<string, string>) => void,
): Promise<void> {
  await readCsvTable(directory, table, columns, (values) => {
    if (values.length !== columns.length) throw new FactsError(`${table}: a row has ${values.length} fields`)
    onRow(Object.fromEntries(columns.map((name, i) => [name, values[i]!])))
  })
}

interface SpotBands {
  /** YYYY-MM-DD */
  readonly day: string
  readonly regions: readonly string[]
  /** Operating system, type, a character for each region. */
  readonly bands: readonly (readonly [string, string, string])[]
}

const columns = 'region operating_system instance_type band band_label savings_pct as_of'.split(' ')

/** Reads how often spot machines of a type are interrupted, by region; x means that spot saves nothing. */
async function readSpotBands(directory: string): Promise<SpotBands> {
  const regions = new Set<string>()
  const byType = new Map<string, Map<string, string>>()
  let day = ''
  await readCsvTable(
    directory,
    'spot-interruption',
    columns,
    ([region = '', system, type, band = '', , saves, asOf]) => {
      regions.add(region)
      const key = `${system}\n${type}`
      const bands = byType.get(key) ?? new Map<string, string>()
      byType.set(key, bands.set(region, Number(saves) > 0 ? band : 'x'))
      if (asOf !== undefined && asOf > day) day = asOf
    },
  )
  const order = [...regions].sort()
  const bands = [...byType]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, byRegion]) => {
      const [system = '', type = ''] = key.split('\n')
      return [system, type, order.map((region) => byRegion.get(region) ?? '-').join('')] as const
    })
  return { day, regions: order, bands }
}
