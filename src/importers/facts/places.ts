import { FactsError, readCsvTable } from './table.ts'

/** Regions in which machines can be ordered today. */
export async function readAvailableRegions(folder: string): Promise<string[]> {
  const regions: string[] = []
  await readCsvTable(
    folder,
    'regions-digitalocean',
    ['slug', 'name', 'available'],
    ([slug = '', , available]) => {
      if (slug !== '' && available === 'true') regions.push(slug)
    },
  )
  if (regions.length === 0)
    throw new FactsError(`regions-digitalocean.csv.gz in ${folder} has no available region`)
  return regions
}

export async function readZones(folder: string): Promise<{ region: string; zone: string }[]> {
  const zones: { region: string; zone: string }[] = []
  const columns = ['NAME', 'REGION', 'STATUS', 'NEXT_MAINTENANCE', 'TURNDOWN_DATE']
  await readCsvTable(
    folder,
    'zones-gcp',
    columns,
    ([zone = '', region = '', status]) => {
      if (zone !== '' && region !== '' && status === 'UP') zones.push({ region, zone })
    },
    ';',
  )
  return zones
}
