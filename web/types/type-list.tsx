import { useMemo } from 'react'
import { maxPins, togglePin } from '../compare/pins.ts'
import { csvOf } from '../parts/csv.ts'
import { ExportMenu } from '../parts/export-menu.tsx'
import { count, counted } from '../parts/figures.ts'
import { PageHead } from '../parts/page-head.tsx'
import { Empty, Skeleton, Trouble } from '../parts/states.tsx'
import { type Column, exportOf } from '../parts/table/column.ts'
import { ColumnChoice, chosenColumns } from '../parts/table/column-choice.tsx'
import { PlainTable } from '../parts/table/plain-table.tsx'
import { Updating } from '../parts/updating.tsx'
import { setParams, usePlace } from '../state/router.ts'
import { moreColumns, sortableTypeColumns, typeColumns } from './columns.tsx'
import { TypeFilters } from './filters.tsx'
import { allInstanceTypes, type InstanceTypeRow, typesQuery, useInstanceTypes } from './queries.ts'
import { pinOf, SideBySide } from './side-by-side.tsx'

/** Lists the types of the catalogue. The service filters and sorts them. */
export function TypeList() {
  const { params } = usePlace()
  const query = useMemo(() => typesQuery(params), [params])
  const pins = useMemo(() => params.getAll('pin'), [params])
  const columns = useMemo(
    () => [...chosenColumns(typeColumns, moreColumns, params), pinColumn(pins)],
    [params, pins],
  )
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
              <ColumnChoice columns={typeColumns} />
              <ExportMenu
                files={[
                  {
                    name: 'CSV',
                    note: `all ${counted(total, 'type')}, these columns`,
                    file: 'cheapside-instance-types.csv',
                    type: 'text/csv',
                    load: async () => {
                      const { header, rows: cells } = exportOf(columns, await allInstanceTypes(query))
                      return csvOf(header, cells)
                    },
                  },
                ]}
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
