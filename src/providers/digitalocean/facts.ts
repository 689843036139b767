import type { FactsReader } from '../cloud.ts'
import { FactsError, readCsvTable } from '../facts/table.ts'

export const digitaloceanFacts: FactsReader = {
  expand: async (directory) => new Map([['global', await readAvailableRegions(directory)]]),
}

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
