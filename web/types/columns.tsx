import { Badge } from '../parts/badge.tsx'
import { cores, count, counted, day, gib, hourly, money, small } from '../parts/figures.ts'
import { Link } from '../parts/link.tsx'
import type { Column } from '../parts/table/column.ts'
import { addressOf } from '../state/router.ts'
import type { InstanceTypeRow } from './queries.ts'

const perCore = ({ cost_per_month_from: cost, cpu_cores: cores }: InstanceTypeRow): number | null =>
  cost === null || !cores ? null : cost / cores

const memoryPerCore = ({ ram_gb: memory, cpu_cores: cores }: InstanceTypeRow): number | null =>
  memory === null || !cores ? null : memory / cores

/** Shown only if they are chosen. */
export const moreColumns: readonly string[] = ['memory_per_core', 'ends', 'carbon']

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
]

export const typeColumns: readonly Column<InstanceTypeRow>[] = [
  {
    id: 'name',
    header: 'Type',
    value: (row) => row.instance_type,
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
    value: perCore,
    cell: (row) => money(perCore(row)),
    number: true,
    extra: true,
  },
  {
    id: 'price_per_speed',
    header: 'Per 1,000 CoreMark',
    value: (row) => row.cost_per_1000_coremark,
    cell: (row) => hourly(row.cost_per_1000_coremark),
    number: true,
    extra: true,
  },
  {
    id: 'price',
    header: 'From, per month',
    value: (row) => row.cost_per_hour_from,
    cell: (row) =>
      row.cost_per_hour_from === null ? (
        <span className="note">no on-demand price</span>
      ) : (
        <span
          className="two-lines"
          title={`Price of ${day(row.price_day)}, ${counted(row.regions.length, 'region')}`}
        >
          {money(row.cost_per_month_from)}
          <span>{hourly(row.cost_per_hour_from)}/h</span>
        </span>
      ),
    number: true,
  },
]

export function Generation({
  of: { generation, ends_on },
}: {
  of: Pick<InstanceTypeRow['machine'], 'generation' | 'ends_on'>
}) {
  if (generation === 'current') return null
  const ends = ends_on !== null && `${generation === 'retired' ? 'retired' : 'retires'} ${day(ends_on)}`
  return <Badge tone={generation === 'previous' ? undefined : 'warn'}>{ends || generation}</Badge>
}
