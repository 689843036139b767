import {
  columnFilteringFeature,
  createFilteredRowModel,
  createSortedRowModel,
  globalFilteringFeature,
  type Row as ModelRow,
  rowSortingFeature,
  sortFn_alphanumeric,
  sortFn_basic,
  tableFeatures,
  useTable,
} from '@tanstack/react-table'
import { type ReactNode, useMemo, useRef } from 'react'
import { csvOf } from '../csv.ts'
import { count } from '../figures.ts'
import { Icon } from '../icon.tsx'
import { saveFile } from '../save-file.ts'
import { type Column, classOf, exportOf, hoverOf } from './column.ts'
import { useFittingColumns } from './table-columns.ts'
import { Pager, TableHead } from './table-parts.tsx'
import { useTableState } from './table-state.ts'

interface Props<Row> {
  /** Used in the address, and for the name of the exported file if that has none of its own. */
  readonly name: string
  readonly fileName?: string
  readonly caption: string
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  readonly rowId: (row: Row) => string
  readonly firstSort?: { readonly id: string; readonly desc: boolean }
  readonly pageSize?: number
  readonly tools?: ReactNode
  readonly rowClass?: (row: Row) => string | undefined
  /** Reduces the space between columns if there are many. */
  readonly dense?: boolean
}

const features = tableFeatures({
  rowSortingFeature,
  columnFilteringFeature,
  globalFilteringFeature,
  sortedRowModel: createSortedRowModel(),
  filteredRowModel: createFilteredRowModel(),
  sortFns: { alphanumeric: sortFn_alphanumeric, basic: sortFn_basic },
})

/** The table of the console: it sorts, filters, pages and exports its rows as CSV. */
export function DataTable<Row extends object>(props: Props<Row>) {
  const { name, caption, columns, rows, rowId, firstSort, pageSize = 20, tools, rowClass, dense } = props
  const { fileName = name } = props
  const [state, change] = useTableState(name, firstSort)
  const definitions = useMemo(() => columns.map(definitionOf), [columns])
  const table = useTable({
    features,
    columns: definitions,
    data: rows as Row[],
    getRowId: rowId,
    enableSortingRemoval: false,
    enableMultiSort: false,
    getColumnCanGlobalFilter: () => true,
    globalFilterFn: (row: ModelRow<typeof features, Row>, columnId: string, text: string) =>
      columnId === columns[0]!.id && holds(columns, row.original, text),
    state: {
      sorting: state.sort === undefined ? [] : [state.sort],
      globalFilter: state.filter,
    },
  })
  const found = table.getRowModel().rows
  const lastPage = Math.max(0, Math.ceil(found.length / pageSize) - 1)
  const page = Math.min(state.page, lastPage)
  const shown = found.slice(page * pageSize, (page + 1) * pageSize)

  const card = useRef<HTMLElement>(null)
  const headers = columns.map(({ header }) => header)
  useFittingColumns(card, [...headers, ...shown.map(({ id }) => id)].join('\n'))

  const save = () => {
    const exported = exportOf(
      columns,
      found.map(({ original }) => original),
    )
    saveFile(`cheapside-${fileName}.csv`, csvOf(exported.header, exported.rows), 'text/csv')
  }

  return (
    <section ref={card} className="table-card" aria-label={caption}>
      <div className="table-tools">
        <label className="search">
          <Icon name="search" size={16} />
          <span className="visually-hidden">Filter {caption}</span>
          <input
            type="search"
            placeholder="Filter"
            value={state.filter}
            onChange={(event) => change({ filter: event.target.value })}
          />
        </label>
        <span className="note" aria-live="polite">
          {found.length === rows.length
            ? `${count(rows.length)} ${rows.length === 1 ? 'row' : 'rows'}`
            : `${count(found.length)} of ${count(rows.length)} rows`}
        </span>
        <span className="spring" />
        {tools}
        <button type="button" className="button" onClick={save} disabled={found.length === 0}>
          <Icon name="download" size={16} /> CSV
        </button>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard */}
      <section className="table-scroll" tabIndex={0} aria-label={`${caption}, table`}>
        <table className={dense ? 'dense' : undefined}>
          <caption className="visually-hidden">{caption}</caption>
          <TableHead columns={columns} sort={state.sort} onSort={(sort) => change({ sort })} />
          <tbody>
            {shown.map(({ id, original }) => (
              <tr key={id} className={rowClass?.(original)}>
                {columns.map((column) => (
                  <td key={column.id} className={classOf(column)} title={hoverOf(column, original)}>
                    {column.cell === undefined ? (column.value(original) ?? '–') : column.cell(original)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
        {found.length === 0 && <p className="table-none">Nothing matches “{state.filter}”.</p>}
      </section>
      {lastPage > 0 && (
        <Pager
          caption={caption}
          page={page}
          lastPage={lastPage}
          pageSize={pageSize}
          total={found.length}
          onPage={(to) => change({ page: to })}
        />
      )}
    </section>
  )
}

function definitionOf<Row extends object>({ id, header, value, number }: Column<Row>) {
  return {
    id,
    header,
    accessorFn: (row: Row) => value(row) ?? undefined,
    sortFn: number ? ('basic' as const) : ('alphanumeric' as const),
    sortUndefined: 'last' as const,
  }
}

/** Whether every word of the filter occurs somewhere in the row. */
function holds<Row>(columns: readonly Column<Row>[], row: Row, filter: string): boolean {
  const text = columns
    .map(({ value }) => value(row) ?? '')
    .join(' ')
    .toLowerCase()
  return filter
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}
