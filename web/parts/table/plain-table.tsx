import { type ReactNode, useRef } from 'react'
import { type Column, classOf, hoverOf } from './column.ts'
import { useFittingColumns } from './table-columns.ts'
import { TableHead } from './table-parts.tsx'
import type { TableState } from './table-state.ts'

interface Props<Row> {
  readonly caption: string
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  readonly rowId: (row: Row) => string
  readonly rowClass?: (row: Row) => string | undefined
  /** A last row, such as a sum. */
  readonly foot?: ReactNode
  /** How the service sorts the rows. */
  readonly sort?: TableState['sort']
  readonly sortable?: readonly string[]
  readonly onSort?: (sort: { id: string; desc: boolean }) => void
}

/** A table in the order of its rows, for short lists and for lists that the service sorts and filters. */
export function PlainTable<Row>(props: Props<Row>) {
  const { caption, columns, rows, rowId, rowClass, foot, sort, sortable = [], onSort = () => {} } = props
  const container = useRef<HTMLDivElement>(null)
  useFittingColumns(container, rows.map(rowId).join('\n'))
  return (
    <div ref={container} className="table-container">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard */}
      <section className="table-scroll" tabIndex={0} aria-label={`${caption}, table`}>
        <table>
          <caption className="visually-hidden">{caption}</caption>
          <TableHead columns={columns} sort={sort} sortable={sortable} onSort={onSort} />
          <tbody>
            {rows.map((row) => (
              <tr key={rowId(row)} className={rowClass?.(row)}>
                {columns.map((column) => (
                  <td key={column.id} className={classOf(column)} title={hoverOf(column, row)}>
                    {column.cell === undefined ? (column.value(row) ?? '–') : column.cell(row)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
          {foot !== undefined && <tfoot>{foot}</tfoot>}
        </table>
      </section>
    </div>
  )
}
