import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { answer, service } from '../api/client.ts'
import type { paths } from '../api/schema.ts'
import { Badge } from '../parts/badge.tsx'
import { count, counted, gib, money, share } from '../parts/figures.ts'
import { Link } from '../parts/link.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { Empty, Skeleton, Trouble } from '../parts/states.tsx'
import type { Column } from '../parts/table/column.ts'
import { DataTable } from '../parts/table/data-table.tsx'
import { Tile } from '../parts/tile.tsx'
import { addressOf, usePlace } from '../state/router.ts'
import { barParams, useCluster } from '../usage/period.ts'

type Volumes = paths['/v1/volumes']['get']['responses'][200]['content']['application/json']
type Volume = Volumes['volumes'][number]

/** As many as the service lists at once. */
const maxVolumes = 10_000

/** Shows persistent volumes with their cost, those that nobody uses, and cheaper disks for the others. */
export default function VolumesPage() {
  const cluster = useCluster()
  const asked = useQuery({
    queryKey: ['volumes', cluster],
    queryFn: ({ signal }) => {
      const query = { limit: maxVolumes, ...(cluster === undefined ? {} : { cluster }) }
      return answer(service.GET('/v1/volumes', { params: { query }, signal }))
    },
  })
  return (
    <>
      <PageHead
        title="Volumes"
        text="Persistent volumes of your clusters, which of them nobody uses, and cheaper types of disk."
      />
      {asked.isPending && <Skeleton lines={8} label="Loading volumes" />}
      {asked.error !== null && asked.data === undefined && (
        <Trouble error={asked.error} again={() => void asked.refetch()} />
      )}
      {asked.data?.totals.count === 0 && (
        <Empty
          icon="disk"
          title="No volumes are known"
          text="Send kube_persistentvolumeclaim_* and kube_persistentvolume_* of kube-state-metrics, and kubelet_volume_stats_* of the kubelet."
        />
      )}
      {asked.data !== undefined && asked.data.totals.count > 0 && <VolumeTable of={asked.data} />}
    </>
  )
}

const mostSavedFirst = { id: 'savings', desc: true }

function VolumeTable({ of: { volumes, totals } }: { of: Volumes }) {
  const { params } = usePlace()
  const columns = useMemo(() => columnsFor(barParams(params)), [params])
  const unused = volumes.filter(isRemovable).length
  const unpriced = totals.without_price > 0 ? `; ${count(totals.without_price)} have no price` : ''
  const kept = barParams(params)
  kept.set('kind', 'volume')
  return (
    <>
      <dl className="tiles">
        <Tile
          label="Cost now"
          value={money(totals.cost_per_month)}
          note={`per month, ${counted(totals.count, 'volume')}, ${gib(totals.size_gib)}${unpriced}`}
        />
        <Tile
          label="Not in use"
          value={money(totals.removable_per_month)}
          note={`per month for ${counted(unused, 'volume')} that no pod used for 7 days, or whose claim is gone`}
          tone={totals.removable_per_month > 0 ? 'good' : undefined}
        />
        <Tile
          label="Cheaper types"
          value={money(totals.savings_per_month)}
          note={
            <>
              per month for the others, of the same size and at least the same IOPS.{' '}
              <Link href={addressOf(['recommendations'], kept)}>Decide</Link>
            </>
          }
          tone={totals.savings_per_month > 0 ? 'good' : undefined}
        />
      </dl>
      <DataTable
        name="volumes"
        caption="Volumes"
        columns={columns}
        rows={volumes}
        rowId={({ cluster, namespace, claim, volume }) => [cluster, namespace, claim, volume].join('\n')}
        firstSort={mostSavedFirst}
        pageSize={50}
      />
      <p className="note">
        No disk shrinks: a smaller one is a new claim and a copy of the data. What that would save is in the
        last column and in no sum. IOPS are what a disk can do; those in use are read from Prometheus by
        “cheapside disks claims”.
      </p>
    </>
  )
}

const isRemovable = ({ state }: Volume): boolean => state === 'unused' || state === 'without-claim'

/** What removing it or another type saves per month; 0 for nothing. */
const savedOf = (row: Volume): number =>
  isRemovable(row) ? (row.cost_per_month ?? 0) : (row.better?.savings_per_month ?? 0)

const changeOf = (row: Volume): string =>
  isRemovable(row) ? 'remove it' : row.better === null ? '' : `${row.better.type} ${row.better.tier}`.trim()

const stateOf = ({ state, unused_days: days }: Volume): string =>
  ({
    used: 'in use',
    unknown: 'not known',
    unused: `unused for ${days} days`,
    'without-claim': `no claim for ${days} days`,
  })[state]

const columnsFor = (params: URLSearchParams): readonly Column<Volume>[] => [
  {
    id: 'name',
    header: 'Volume',
    value: ({ claim, volume }) => claim ?? volume,
    cell: ({ cluster, namespace, claim, volume }) => (
      <span className="two-lines">
        <span className="as-text">{claim ?? volume}</span>
        {namespace === null ? (
          <span>{cluster}, released volume</span>
        ) : (
          <Link href={addressOf(['workloads', cluster, namespace], params)}>
            {namespace}, {cluster}
          </Link>
        )}
      </span>
    ),
    exported: [
      { header: 'Cluster', value: ({ cluster }) => cluster },
      { header: 'Namespace', value: ({ namespace }) => namespace },
      { header: 'Claim', value: ({ claim }) => claim },
      { header: 'Volume', value: ({ volume }) => volume },
    ],
    fill: true,
  },
  {
    id: 'state',
    header: 'State',
    value: stateOf,
    cell: (row) => (isRemovable(row) ? <Badge tone="warn">{stateOf(row)}</Badge> : stateOf(row)),
    minor: true,
  },
  {
    id: 'disk',
    header: 'Disk',
    value: ({ disk_type, storage_class }) => disk_type ?? storage_class,
    cell: ({ disk_type, storage_class, iops }) => (
      <span className="two-lines">
        {disk_type ?? (storage_class || '–')}
        {iops !== null && <span className="unbroken">{count(iops)} IOPS</span>}
      </span>
    ),
    minor: true,
  },
  {
    id: 'size',
    header: 'Size, used',
    value: ({ size_gib }) => size_gib,
    cell: ({ size_gib, used_gib }) => (
      <span className="two-lines">
        {gib(size_gib)}
        <span>{used_gib === null ? 'use not known' : `${share(used_gib / size_gib)} used`}</span>
      </span>
    ),
    exported: [
      { header: 'Size', unit: 'GiB', value: ({ size_gib }) => size_gib },
      { header: 'Used', unit: 'GiB', value: ({ used_gib }) => used_gib },
    ],
    number: true,
    minor: true,
  },
  {
    id: 'cost',
    header: 'Cost/month',
    unit: 'USD',
    value: ({ cost_per_month }) => cost_per_month,
    cell: ({ cost_per_month: cost, without_price, is_estimate, price_source }) => (
      <span className="two-lines" title={without_price ?? undefined}>
        {cost === null ? 'no price' : money(cost)}
        {is_estimate ? (
          <span>estimate</span>
        ) : (
          price_source?.startsWith('published') && <span>{price_source}</span>
        )}
      </span>
    ),
    number: true,
  },
  {
    id: 'instead',
    header: 'Recommended',
    value: (row) => changeOf(row) || null,
    cell: (row) => (
      <span className="two-lines">
        {changeOf(row) || <span className="note">none costs less</span>}
        {!isRemovable(row) && row.better !== null && <span>{count(row.better.iops)} IOPS</span>}
      </span>
    ),
    minor: true,
  },
  {
    id: 'savings',
    header: 'Saves/month',
    unit: 'USD',
    value: (row) => savedOf(row) || null,
    cell: (row) => (savedOf(row) > 0 ? <span className="good">{money(savedOf(row))}</span> : '–'),
    number: true,
  },
  {
    id: 'smaller',
    header: 'Smaller by a copy',
    unit: 'USD',
    value: ({ smaller_saves_per_month: saved }) => saved || null,
    cell: ({ smaller_saves_per_month: saved }) => (saved >= 1 ? money(saved) : '–'),
    number: true,
    extra: true,
  },
]
