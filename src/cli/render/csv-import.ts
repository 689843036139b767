import { plural } from '../../domain/text.ts'
import type { CsvImport } from '../../pricing/own-prices/marketplace-csv.ts'
import { printable } from './figures.ts'
import { renderTable } from './table.ts'

const maxListed = 50

/** Lists the faults of a file by line; returns '' if there are none. */
export function renderBadLines({ bad, lines, headerIsBad, ignoredColumns }: CsvImport): string {
  const ignored =
    ignoredColumns.length === 0 ? '' : `Ignored columns: ${ignoredColumns.map(printable).join(', ')}.\n`
  if (bad.length === 0) return ignored
  const badLines = new Set(bad.map(({ line }) => line)).size
  const rows = bad.slice(0, maxListed).map(({ line, column, message }) => [`line ${line}`, column, message])
  const more = bad.length > maxListed ? `\nand ${bad.length - maxListed} more` : ''
  const what = headerIsBad
    ? 'The header line is invalid, so no other line was read'
    : `${plural(badLines, 'invalid line')} of ${lines}`
  return `${ignored}${what}:\n${renderTable(rows)}${more}\n`
}

export function renderCalls({ calls }: Pick<CsvImport, 'calls'>, isDryRun: boolean): string {
  const counts = new Map<string, number>()
  for (const { name, entries } of calls) counts.set(name, (counts.get(name) ?? 0) + entries.length)
  if (counts.size === 0) return 'Nothing to register.\n'
  const verb = isDryRun ? 'Checked' : 'Registered'
  const lines = [...counts].map(
    ([name, count]) => `${verb} ${plural(count, 'entry', 'entries')} of ${printable(name)}.\n`,
  )
  return `${lines.join('')}${isDryRun ? 'Nothing was registered.\n' : ''}`
}
