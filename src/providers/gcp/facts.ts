import type { FactsReader } from '../cloud.ts'
import { readCsvTable } from '../facts/table.ts'
import type { FillRules } from '../machine.ts'
import { isGcpSold } from './provider.ts'

export const gcpFill: FillRules = { isSold: isGcpSold }

export const gcpFacts: FactsReader = {
  fill: gcpFill,
  zones: async (directory) => {
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
  },
}
