import { Badge } from '../parts/badge.tsx'
import { cores, count, counted, day, gib, hourly, money, small } from '../parts/figures.ts'
import { Link } from '../parts/link.tsx'
import type { Column } from '../parts/table/column.ts'
import { addressOf } from '../state/router.ts'
import type { InstanceTypeRow } from './queries.ts'

export const typeColumns: readonly Column<InstanceTypeRow>[] = [
  {
    id: 'type',
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
    header: 'CoreMark per vCPU',
    value: (row) => row.machine.speed?.coremark_per_vcpu ?? null,
    cell: (row) => (
      <span title={row.machine.speed === null ? undefined : `by ${row.machine.speed.basis}`}>
        {count(row.machine.speed?.coremark_per_vcpu)}
      </span>
    ),
    number: true,
    extra: true,
  },
  {
    id: 'regions',
    header: 'Regions',
    value: (row) => row.regions.length,
    cell: (row) => count(row.regions.length),
    number: true,
    minor: true,
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
