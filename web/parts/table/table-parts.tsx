import { Fragment } from 'react'
import { count } from '../figures.ts'
import { Icon } from '../icon.tsx'
import { type Column, classOf } from './column.ts'
import type { TableState } from './table-state.ts'

export function TableHead<Row>({
  columns,
  sort,
  onSort,
  sortable,
}: {
  columns: readonly Column<Row>[]
  /** Ids of the columns that can be sorted; default: all. */
  sortable?: readonly string[] | undefined
  sort: TableState['sort']
  onSort: (sort: { id: string; desc: boolean }) => void
}) {
  return (
    <thead>
      <tr>
        {columns.map((column) => {
          const sorted = sort?.id === column.id ? (sort.desc ? 'descending' : 'ascending') : undefined
          // The first click sorts numbers from the largest and names from A.
          const desc = sorted === undefined ? column.number === true : sorted === 'ascending'
          if (column.action || sortable?.includes(column.id) === false) {
            return (
              <th key={column.id} scope="col" className={`${classOf(column) ?? ''} plain-head`}>
                {column.header}
              </th>
            )
          }
          return (
            <th key={column.id} scope="col" aria-sort={sorted} className={classOf(column)}>
              <button type="button" onClick={() => onSort({ id: column.id, desc })}>
                <Breakable text={column.header} />
                <span className="sort-mark">
                  {sorted !== undefined && <Icon name={sorted === 'descending' ? 'down' : 'up'} size={13} />}
                </span>
              </button>
            </th>
          )
        })}
      </tr>
    </thead>
  )
}

/** Allows a line break after each slash, where browsers do not break: "Spend/month". */
function Breakable({ text }: { text: string }) {
  return (
    <span>
      {text.split(/(?<=\/)/).map((part, i) => (
        <Fragment key={part}>
          {i > 0 && <wbr />}
          {part}
        </Fragment>
      ))}
    </span>
  )
}

export function Pager({
  caption,
  page,
  lastPage,
  pageSize,
  total,
  onPage,
}: {
  /** The caption of the table, since a page may have several. */
  caption: string
  page: number
  lastPage: number
  pageSize: number
  total: number
  onPage: (page: number) => void
}) {
  const to = Math.min(total, (page + 1) * pageSize)
  return (
    <nav className="pager" aria-label={`Pages of ${caption}`}>
      <span className="note">
        {count(page * pageSize + 1)}–{count(to)} of {count(total)}
      </span>
      <button type="button" className="button" disabled={page === 0} onClick={() => onPage(page - 1)}>
        <Icon name="left" size={16} /> <span>Previous</span>
      </button>
      <button type="button" className="button" disabled={page === lastPage} onClick={() => onPage(page + 1)}>
        <span>Next</span> <Icon name="right" size={16} />
      </button>
    </nav>
  )
}
