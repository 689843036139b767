import type { RecommendationResult, ResultItem } from '../../pricing/answer.ts'
import { dollars, formatPercent, hourly, printable, size } from './figures.ts'
import { renderTable } from './table.ts'

const header = [
  'TYPE',
  'PROVIDER',
  'REGION',
  'ZONE',
  'USAGE TYPE',
  'CORES',
  'GIB',
  'PER HOUR',
  'SAVES',
  'A MONTH',
  'A YEAR',
]
const figures = [5, 6, 7, 8, 9, 10]
const zoneColumn = 3

/** The current instance in a sentence, then one line per offer, cheapest type first. */
export function renderRecommendations(answer: RecommendationResult): string {
  const [base, ...groups] = answer
  const lines = [currentLine(base?.[1][0])]
  const rows = groups.flatMap(([, items]) => items.map(rowOf))
  if (rows.length === 0)
    return `${lines[0]}\nNothing that holds its usage and passes the filters costs less.\n`
  const table = withoutEmptyZones([header, ...rows])
  const shift = table[0]!.length === header.length ? 0 : 1
  return `${lines[0]}\n\n${renderTable(
    table,
    figures.map((column) => column - shift),
  )}\n`
}

function currentLine(item: ResultItem | undefined): string {
  if (item === undefined) return 'The current instance has no price.'
  const { instance_pricing: price } = item
  const place = [price.provider, price.region, price.availability_zone]
    .filter((name) => name !== '')
    .map(printable)
  const kind = [price.operating_system, price.usage_type].filter((name) => name !== '').join(', ')
  return `Now: ${printable(price.instance_type)} at ${place.join(' ')} (${kind}) for ${hourly(price.cost_per_hour)} an hour.`
}

function rowOf({ instance_pricing: price, vm, savings }: ResultItem): string[] {
  return [
    printable(price.instance_type),
    printable(price.provider),
    printable(price.region),
    printable(price.availability_zone),
    price.usage_type,
    vm === null ? '' : size(vm.cpu_cores),
    vm === null ? '' : size(vm.ram_gb),
    hourly(price.cost_per_hour),
    formatPercent(savings.percentage),
    dollars(savings.amount_per_month),
    dollars(savings.amount_per_year),
  ]
}

/** Most prices hold in a whole region. */
function withoutEmptyZones(rows: readonly string[][]): string[][] {
  const hasZones = rows.slice(1).some((row) => row[zoneColumn] !== '')
  return hasZones ? [...rows] : rows.map((row) => row.toSpliced(zoneColumn, 1))
}
