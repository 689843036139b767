import { useInfiniteQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { answerWithResponse, service } from '../api/client.ts'
import { nextCursor } from '../api/next-cursor.ts'
import { isMissing } from '../api/problem.ts'
import type { paths } from '../api/schema.ts'
import { paidAs } from '../compare/candidates.ts'
import { cores, count, gib, hourly } from '../parts/figures.ts'
import { Icon } from '../parts/icon.tsx'
import { Link } from '../parts/link.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { Empty, Notice, Skeleton, Trouble } from '../parts/states.tsx'
import type { Column } from '../parts/table/column.ts'
import { DataTable } from '../parts/table/data-table.tsx'
import { addressOf, go } from '../state/router.ts'
import { RemoveDialog } from './remove-dialog.tsx'
import { useMayWrite } from './use-may-write.ts'

type Entry =
  paths['/marketplace/providers/{name}']['get']['responses'][200]['content']['application/json'][number]

const pageEntries = 1000

/** Shows the prices of one provider, page by page. */
export function ProviderView({ name }: { name: string }) {
  const entries = useInfiniteQuery({
    queryKey: ['marketplace', name],
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam, signal }) => {
      const query = { limit: pageEntries, ...(pageParam === undefined ? {} : { cursor: pageParam }) }
      const { data, response } = await answerWithResponse(
        service.GET('/marketplace/providers/{name}', { params: { path: { name }, query }, signal }),
      )
      return { data, next: nextCursor(response.headers.get('link')) }
    },
    getNextPageParam: ({ next }) => next,
  })
  const rows = useMemo(() => entries.data?.pages.flatMap(({ data }) => data) ?? [], [entries.data])
  const mayWrite = useMayWrite()
  const [removing, setRemoving] = useState(false)

  return (
    <>
      <nav aria-label="Breadcrumb" className="way-back">
        <Link href={addressOf(['prices', 'yours'])}>
          <Icon name="left" size={15} /> Your prices
        </Link>
      </nav>
      <PageHead title={name} text="Your own prices of this provider.">
        {mayWrite && rows.length > 0 && (
          <button type="button" className="button danger" onClick={() => setRemoving(true)}>
            <Icon name="trash" size={16} /> Remove
          </button>
        )}
      </PageHead>
      {entries.isPending && <Skeleton label="Loading prices" />}
      {entries.error !== null &&
        entries.data === undefined &&
        (isMissing(entries.error) ? (
          <Empty
            icon="store"
            title="No provider is registered under this name"
            text="It may have been removed."
          />
        ) : (
          <Trouble error={entries.error} again={() => void entries.refetch()} />
        ))}
      {entries.hasNextPage && (
        <Notice tone="info" title={`The first ${count(rows.length)} prices are loaded.`}>
          <button
            type="button"
            className="button"
            disabled={entries.isFetchingNextPage}
            onClick={() => void entries.fetchNextPage()}
          >
            {entries.isFetchingNextPage ? 'Loading…' : 'Load more'}
          </button>
        </Notice>
      )}
      {rows.length > 0 && (
        <DataTable name="entries" caption={`Prices of ${name}`} columns={columns} rows={rows} rowId={idOf} />
      )}
      {removing && (
        <RemoveDialog
          name={name}
          onClose={() => setRemoving(false)}
          onRemoved={() => go(addressOf(['prices', 'yours']), 'replace')}
        />
      )}
    </>
  )
}

const idOf = (entry: Entry): string =>
  JSON.stringify([
    entry.service,
    entry.region,
    entry.availability_zone,
    entry.instance_type,
    entry.operating_system,
    entry.usage_type,
  ])

const columns: readonly Column<Entry>[] = [
  {
    id: 'type',
    header: 'Type',
    value: (entry) => entry.instance_type,
    cell: (entry) => (
      <span className="two-lines">
        <b>{entry.instance_type}</b>
        <span className="not-narrow">{entry.service}</span>
        <span className="only-narrow">
          {cores(entry.cpu_cores)}, {gib(entry.ram_gb)}
        </span>
      </span>
    ),
  },
  {
    id: 'region',
    header: 'Region',
    value: ({ region, availability_zone = '' }) => `${region} ${availability_zone}`.trim(),
  },
  { id: 'system', header: 'System', value: (entry) => entry.operating_system ?? '', minor: true },
  { id: 'paid', header: 'Payment', value: (entry) => paidAs(entry.usage_type ?? ''), minor: true },
  {
    id: 'cores',
    header: 'Cores',
    value: (entry) => entry.cpu_cores,
    cell: (entry) => cores(entry.cpu_cores),
    number: true,
    minor: true,
  },
  {
    id: 'memory',
    header: 'Memory',
    unit: 'GiB',
    value: (entry) => entry.ram_gb,
    cell: (entry) => gib(entry.ram_gb),
    number: true,
    minor: true,
  },
  {
    id: 'price',
    header: 'Per hour',
    unit: 'USD',
    value: (entry) => entry.cost_per_hour,
    cell: (entry) => hourly(entry.cost_per_hour),
    number: true,
  },
]
