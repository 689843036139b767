import { useMemo } from 'react'
import { maxPins, togglePin } from '../compare/pins.ts'
import { count, counted } from '../parts/figures.ts'
import { MultiChoice } from '../parts/inputs/multi-choice.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { Empty, Skeleton, Trouble } from '../parts/states.tsx'
import type { Column } from '../parts/table/column.ts'
import { PlainTable } from '../parts/table/plain-table.tsx'
import { Updating } from '../parts/updating.tsx'
import { setParams, usePlace } from '../state/router.ts'
import { moreColumns, sortableTypeColumns, typeColumns } from './columns.tsx'
import { TypeFilters } from './filters.tsx'
import { type InstanceTypeRow, typesQuery, useInstanceTypes } from './queries.ts'
import { pinOf, SideBySide } from './side-by-side.tsx'

/** Lists the types of the catalogue. The service filters and sorts them. */
export function TypeList() {
  const { params } = usePlace()
  const query = useMemo(() => typesQuery(params), [params])
  const [pins, chosen] = useMemo(() => [params.getAll('pin'), params.getAll('column')], [params])
  const columns = useMemo(() => [...chosenColumns(chosen), pinColumn(pins)], [chosen, pins])
  const {
    rows,
    total,
    error,
    isPending,
    isPlaceholderData,
    hasNextPage,
    isFetchingNextPage,
    fetchNextPage,
    refetch,
  } = useInstanceTypes(query)
  return (
    <>
      <PageHead title="Instance types" text="Every instance type in the catalogue and in your own prices." />
      <TypeFilters />
      <SideBySide pins={pins} />
      {isPending && <Skeleton lines={10} label="Loading instance types" />}
      {error !== null && <Trouble error={error} again={() => void refetch()} />}
      <Updating isOld={isPlaceholderData} label="Loading instance types">
        {error === null && rows?.length === 0 && (
          <Empty icon="search" title="No type matches these filters" text="Remove a filter to see more." />
        )}
        {error === null && rows !== undefined && rows.length > 0 && (
          <section className="table-card" aria-label="Instance types">
            <div className="table-tools">
              <span className="note" aria-live="polite">
                {counted(total, 'type')}
                {hasNextPage && `, the first ${count(rows.length)} below`}
              </span>
              <MultiChoice
                label="Columns"
                none="Usual columns"
                choices={typeColumns.slice(1).map(({ id, header }) => ({ value: id, label: header }))}
                chosen={chosen}
                onChange={(to) => setParams({ column: to }, 'push')}
              />
            </div>
            <PlainTable
              caption="Instance types"
              columns={columns}
              rows={rows}
              sort={sortOf(query.sort)}
              sortable={sortableTypeColumns}
              onSort={({ id, desc }) => setParams({ sort: `${desc ? '-' : ''}${id}` }, 'push')}
              rowId={({ provider_key, instance_type }) => `${provider_key} ${instance_type}`}
            />
            {hasNextPage && (
              <div className="pager">
                <button
                  type="button"
                  className="button"
                  disabled={isFetchingNextPage}
                  onClick={() => void fetchNextPage()}
                >
                  {isFetchingNextPage ? 'Loading…' : 'Load more'}
                </button>
              </div>
            )}
          </section>
        )}
      </Updating>
    </>
  )
}

/** Columns that were chosen are shown at every width. */
function chosenColumns(chosen: readonly string[]): readonly Column<InstanceTypeRow>[] {
  const found = typeColumns.filter(({ id }) => chosen.includes(id))
  if (found.length === 0) return typeColumns.filter(({ id }) => !moreColumns.includes(id))
  return [typeColumns[0]!, ...found.map(({ minor: _, extra: __, ...column }) => column)]
}

const pinColumn = (pins: readonly string[]): Column<InstanceTypeRow> => ({
  id: 'pin',
  header: 'Pin',
  value: () => null,
  action: true,
  cell: (row) => (
    <input
      type="checkbox"
      aria-label={`Pin ${row.instance_type}, ${row.provider}`}
      checked={pins.includes(pinOf(row))}
      disabled={!pins.includes(pinOf(row)) && pins.length >= maxPins}
      onChange={() => togglePin(pinOf(row))}
    />
  ),
})

const sortOf = (sort = 'price') => ({ id: sort.replace('-', ''), desc: sort.startsWith('-') })
