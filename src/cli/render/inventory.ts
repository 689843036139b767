import type {
  ComparedMachine,
  InventoryComparison,
} from '../../operations/compare-inventory/compare-inventory.ts'
import { dollars, formatPercent, plural, printable, size } from './figures.ts'
import { renderTable } from './table.ts'

const header = ['MACHINE', 'TYPE', 'REGION', 'USES', 'PER MONTH', 'CHEAPEST', 'PER MONTH', 'SAVES', '']
const figures = [4, 6, 7, 8]

/** A table of machines, the greatest saving first, then what could not be compared. */
export function renderInventory({ machines, unpriced, totals }: InventoryComparison): string {
  const parts: string[] = []
  if (machines.length > 0) parts.push(renderTable([header, ...machines.map(row)], figures))
  parts.push(
    `${plural(machines.length, 'machine')} at ${dollars(totals.cost_per_month)} per month; ` +
      `${dollars(totals.savings_per_month)} could be saved.`,
  )
  const notes = machines.flatMap(({ name, id, notes }) =>
    notes.map((note) => [`  ${printable(name || id)}`, printable(note)]),
  )
  if (notes.length > 0) parts.push(`Notes:\n${renderTable(notes)}`)
  if (unpriced.length > 0) {
    const rows = unpriced.map(({ name, id, reason }) => [`  ${printable(name || id)}`, printable(reason)])
    parts.push(`Not compared:\n${renderTable(rows)}`)
  }
  return parts.join('\n\n')
}

function row({ id, name, current, usage, cheapest, ...saved }: ComparedMachine): string[] {
  const used = `${size(usage.cpu_cores)} cores, ${size(usage.ram_gb)} GiB`
  return [
    printable(name || id),
    current.instance_type,
    current.region,
    usage.measured.length === 0 ? 'not measured' : used,
    dollars(current.cost_per_month),
    cheapest === null
      ? 'nothing cheaper'
      : `${cheapest.provider} ${cheapest.instance_type} in ${cheapest.region}`,
    cheapest === null ? '' : dollars(cheapest.cost_per_month),
    cheapest === null ? '' : dollars(saved.savings_per_month),
    cheapest === null ? '' : formatPercent(saved.savings_percentage),
  ]
}
