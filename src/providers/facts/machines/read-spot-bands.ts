import { readCsvTable } from '../table.ts'

interface SpotBands {
  /** YYYY-MM-DD */
  readonly day: string
  readonly regions: readonly string[]
  /** Operating system, type, a character for each region. */
  readonly bands: readonly (readonly [string, string, string])[]
}

const columns = 'region operating_system instance_type band band_label savings_pct as_of'.split(' ')

/** Reads how often spot machines of a type are interrupted, by region; x means that spot saves nothing. */
export async function readSpotBands(directory: string): Promise<SpotBands> {
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
