import { hoursPerMonth } from '../../src/domain/money.ts'
import { Badge } from '../parts/badge.tsx'
import { cores, count, counted, day, gib, hourly, money, percent, small } from '../parts/figures.ts'
import { Link } from '../parts/link.tsx'
import { capNote } from '../parts/month-cap.ts'
import type { Column } from '../parts/table/column.ts'
import { addressOf } from '../state/router.ts'
import type { InstanceTypeRow } from './queries.ts'

const perCore = ({ cost_per_month_from: cost, cpu_cores: cores }: InstanceTypeRow): number | null =>
  cost === null || !cores ? null : cost / cores

const memoryPerCore = ({ ram_gb: memory, cpu_cores: cores }: InstanceTypeRow): number | null =>
  memory === null || !cores ? null : memory / cores

/** Shown only if they are chosen. */
export const moreColumns: readonly string[] = [
  ...['regions', 'disk', 'network', 'memory_per_core', 'ends', 'carbon', 'price_per_core'],
]

/** The service sorts by these. */
export const sortableTypeColumns = [
  'name',
  'cores',
  'memory',
  'speed',
  'regions',
  'price_per_core',
  'price_per_speed',
  'price',
  'reserved_1y',
  'reserved_3y',
  'spot',
]

export const typeColumns: readonly Column<InstanceTypeRow>[] = [
  {
    id: 'name',
    header: 'Type',
    value: (row) => row.instance_type,
    exported: [
      { header: 'Type', value: (row) => row.instance_type },
      { header: 'Provider', value: (row) => row.provider },
    ],
    cell: (row) => (
      <span className="two-lines whole-name">
        <Link href={addressOf(['prices', 'types', row.provider_key, row.instance_type])}>
          {row.instance_type}
        </Link>
        <span>
          {row.provider}
          <span className="only-narrow">
            , {cores(row.cpu_cores)}, {gib(row.ram_gb)}
          </span>{' '}
          <Generation of={row.machine} />
        </span>
      </span>
    ),
  },
  {
    id: 'cores',
    header: 'Cores',
    value: (row) => row.cpu_cores,
    cell: (row) => small(row.cpu_cores),
    number: true,
    minor: true,
  },
  {
    id: 'memory',
    header: 'Memory',
    unit: 'GiB',
    value: (row) => row.ram_gb,
    cell: (row) => gib(row.ram_gb),
    number: true,
    minor: true,
  },
  {
    id: 'processor',
    header: 'Processor',
    value: (row) => row.machine.processor,
    cell: (row) => (
      <span className="two-lines">
        <span className="as-text cut" title={row.machine.processor ?? undefined}>
          {row.machine.processor ?? 'not known'}
        </span>
        <span>
          {row.architecture}
          {row.gpu !== null && `, ${small(row.gpu.count)} × ${row.gpu.name}`}
        </span>
      </span>
    ),
    minor: true,
  },
  {
    id: 'speed',
    header: 'CoreMark/vCPU',
    value: (row) => row.machine.speed?.coremark_per_vcpu ?? null,
    cell: (row) => (
      <span title={row.machine.speed === null ? undefined : `by ${row.machine.speed.basis}`}>
        {count(row.machine.speed?.coremark_per_vcpu)}
      </span>
    ),
    number: true,
    minor: true,
  },
  {
    id: 'regions',
    header: 'Regions',
    value: (row) => row.regions.length,
    cell: (row) => count(row.regions.length),
    number: true,
    extra: true,
  },
  {
    id: 'disk',
    header: 'Local disk',
    value: ({ machine }) => machine.local_disk?.gib ?? null,
    cell: ({ machine: { local_disk: disk } }) => (disk?.gib ? gib(disk.gib) : disk === null ? '–' : 'none'),
    number: true,
    extra: true,
  },
  {
    id: 'network',
    header: 'Network, Gbit/s',
    value: ({ machine }) => machine.network?.max_gbps ?? null,
    cell: ({ machine }) => small(machine.network?.max_gbps),
    number: true,
    extra: true,
  },
  {
    id: 'memory_per_core',
    header: 'Memory per core',
    value: memoryPerCore,
    cell: (row) => gib(memoryPerCore(row)),
    number: true,
  },
  {
    id: 'ends',
    header: 'End of life',
    value: ({ machine }) => machine.ends_on,
    cell: ({ machine }) => (machine.ends_on === null ? '–' : day(machine.ends_on)),
  },
  {
    id: 'carbon',
    header: 'CO₂e, g per hour',
    value: ({ machine }) => machine.carbon?.grams_co2e_per_hour ?? null,
    cell: ({ machine }) => small(machine.carbon?.grams_co2e_per_hour),
    number: true,
  },
  {
    id: 'price_per_core',
    header: 'Per core',
    unit: 'USD',
    value: perCore,
    cell: (row) => money(perCore(row)),
    number: true,
    extra: true,
  },
  {
    id: 'price_per_speed',
    header: 'Per 1,000 CoreMark',
    unit: 'USD/h',
    value: (row) => row.cost_per_1000_coremark,
    cell: (row) => hourly(row.cost_per_1000_coremark),
    number: true,
    extra: true,
  },
  {
    id: 'price',
    header: 'On demand/month',
    value: (row) => row.cost_per_month_from,
    unit: 'USD',
    exported: [
      { header: 'On demand per hour', unit: 'USD/h', value: (row) => row.cost_per_hour_from },
      { header: 'On demand per month', unit: 'USD', value: (row) => row.cost_per_month_from },
    ],
    cell: (row) => {
      if (row.cost_per_hour_from === null) return <span className="note">no on-demand price</span>
      const capped = capNote(row.cost_per_hour_from, row.cost_per_month_from)
      return (
        <span
          className="two-lines"
          title={`Price of ${day(row.price_day)}, ${counted(row.regions.length, 'region')}`}
        >
          {money(row.cost_per_month_from)}
          <span>{hourly(row.cost_per_hour_from)}/h</span>
          {capped !== '' && <span>{capped.slice(2)}</span>}
        </span>
      )
    },
    number: true,
  },
  paid('reserved_1y', 'Reserved 1 year', (row) => row.cost_per_hour_reserved_1y),
  paid('reserved_3y', 'Reserved 3 years', (row) => row.cost_per_hour_reserved_3y),
  paid('spot', 'Spot', (row) => row.cost_per_hour_spot),
]

/** The lowest price of another way to pay, and what it saves. */
function paid(
  id: string,
  header: string,
  hourOf: (row: InstanceTypeRow) => number | null,
): Column<InstanceTypeRow> {
  const monthOf = (row: InstanceTypeRow) => {
    const hour = hourOf(row)
    return hour === null ? null : hour * hoursPerMonth
  }
  return {
    id,
    header: `${header}/month`,
    value: monthOf,
    exported: [
      { header: `${header} per hour`, unit: 'USD/h', value: hourOf },
      { header: `${header} per month`, unit: 'USD', value: monthOf },
    ],
    cell: (row) => {
      const [month, listed] = [monthOf(row), row.cost_per_month_from]
      if (month === null) return '–'
      return (
        <span className="two-lines" title={`${hourly(hourOf(row))} per hour, the lowest price`}>
          {money(month)}
          {listed !== null && month < listed && <span>{percent(100 * (1 - month / listed))} less</span>}
        </span>
      )
    },
    number: true,
    desktop: true,
    minor: true,
  }
}

export function Generation({
  of: { generation, ends_on },
}: {
  of: Pick<InstanceTypeRow['machine'], 'generation' | 'ends_on'>
}) {
  if (generation === 'current') return null
  const ends = ends_on !== null && `${generation === 'retired' ? 'retired' : 'retires'} ${day(ends_on)}`
  return <Badge tone={generation === 'previous' ? undefined : 'warn'}>{ends || generation}</Badge>
}
