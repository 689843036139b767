import { changePhrase } from '../../domain/machine-description.ts'
import { dollars } from '../../domain/money.ts'
import { plural } from '../../domain/text.ts'
import { diskName } from '../../pricing/disks/claims.ts'
import type {
  CandidateOffer,
  ComparedDisk,
  ComparedMachine,
  InventoryComparison,
} from '../../pricing/inventory/compare-inventory.ts'
import { formatPercent, printable, size } from './figures.ts'
import { ageLines, ageMark, changesText } from './offer-cells.ts'
import { renderTable } from './table.ts'

const header = [
  'MACHINE',
  'TYPE',
  'REGION',
  'USES',
  'PER MONTH',
  'CHEAPEST',
  'PER MONTH',
  'SAVES',
  'SAVES %',
  'CHANGES',
  'SAME PLACE',
  'PER MONTH',
  'CHANGES',
]
const figures = [4, 6, 7, 8, 11]
/** What runs, what it could be, and what that saves, also on a narrow terminal. */
const kept = [0, 1, 5, 7]
const maxUnmatched = 20

export function renderInventory({ machines, disks, unpriced, totals, ...read }: InventoryComparison): string {
  const parts: string[] = []
  if (machines.length > 0) parts.push(renderTable([header, ...machines.map(row)], figures, kept))
  if (disks.length > 0) parts.push(renderTable([diskHeader, ...disks.map(diskRow)], [4, 6]))
  const counted = [
    ...(machines.length > 0 || disks.length === 0 ? [plural(machines.length, 'machine')] : []),
    ...(disks.length > 0 ? [plural(disks.length, 'disk')] : []),
  ]
  parts.push(
    `${counted.join(' and ')} at ${dollars(totals.cost_per_month)} per month; ` +
      `${dollars(totals.savings_per_month)} could be saved.` +
      (machines.length > 0 ? ' Same place: the best other size at the same provider and region.' : '') +
      (disks.length > 0 ? ' No disk is made smaller.' : ''),
  )
  const offers = machines.flatMap(({ current, cheapest, resize }) => [current, cheapest, resize])
  parts.push(...ageLines(offers.flatMap((offer) => (offer === null ? [] : [offer.price]))))
  const notes = machines.flatMap(({ name, id, notes }) => notes.map((note) => [`  ${name || id}`, note]))
  if (notes.length > 0) parts.push(`Notes:\n${renderTable(notes)}`)
  if (unpriced.length > 0) {
    const rows = unpriced.map(({ name, id, reason }) => [`  ${name || id}`, reason])
    parts.push(`Not compared:\n${renderTable(rows)}`)
  }
  const unmatched = read.unmatched_usage
  if (unmatched.length > 0) {
    const names = unmatched.slice(0, maxUnmatched).map(printable).join(', ')
    const more = unmatched.length > maxUnmatched ? ', ...' : ''
    parts.push(
      `Usage of ${plural(unmatched.length, 'name')} without a matching machine was ignored: ${names}${more}`,
    )
  }
  return parts.join('\n\n')
}

function row({ id, name, current, usage, cheapest, resize, ...saved }: ComparedMachine): string[] {
  const used = [
    usage.measured.includes('cpu_cores') ? `${size(usage.cpu_cores)} cores` : 'CPU not measured',
    usage.measured.includes('ram_gb') ? `${size(usage.ram_gb)} GiB` : 'memory not measured',
  ].join(', ')
  return [
    name || id,
    `${current.instance_type}${mark(current)}`,
    current.region,
    usage.measured.length === 0 ? 'not measured' : used,
    dollars(current.cost_per_month),
    cheapest === null
      ? 'nothing cheaper'
      : `${cheapest.provider} ${cheapest.instance_type} in ${cheapest.region}${mark(cheapest)}`,
    cheapest === null ? '' : dollars(cheapest.cost_per_month),
    cheapest === null ? '' : dollars(saved.savings_per_month),
    cheapest === null ? '' : formatPercent(saved.savings_percentage),
    changesOf(cheapest),
    resize === null ? 'nothing cheaper' : `${resize.instance_type}${mark(resize)}`,
    resize === null ? '' : dollars(resize.cost_per_month),
    changesOf(resize),
  ]
}

const diskHeader = ['DISK', 'TYPE', 'REGION', 'SIZE', 'PER MONTH', 'INSTEAD', 'SAVES', 'PRICE OF']

const diskRow = ({ id, name, better, ...disk }: ComparedDisk): string[] => [
  name || id,
  disk.type,
  disk.region,
  `${size(disk.size_gib)} GiB`,
  dollars(disk.cost_per_month),
  !disk.is_attached ? 'remove: not attached' : better === null ? 'nothing cheaper' : diskName(better),
  disk.savings_per_month > 0 ? dollars(disk.savings_per_month) : '',
  disk.is_estimate ? `${disk.price_day}, estimate` : disk.price_day,
]

const mark = ({ price }: ComparedMachine['current']): string => ageMark(price)

function changesOf(offer: CandidateOffer | null): string {
  if (offer === null) return ''
  const moves = (['provider', 'region', 'term'] as const).filter((change) => offer.changes.includes(change))
  const others = changesText({ machine: { changes: offer.changes } })
  const all = [
    ...moves.map((change) => `another ${change}`),
    ...(offer.changes.includes('unknown-speed') ? [changePhrase('unknown-speed')] : []),
    ...(others === '-' ? [] : [others]),
  ]
  return all.join(', ') || '-'
}
