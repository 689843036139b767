import { count, day } from '../parts/figures.ts'
import type { Column } from '../parts/table/column.ts'
import { Age } from './age.tsx'
import type { SourceRow } from './tables.ts'

/** Keeps a date in the name on one line. */
function SourceName({ of }: { of: string }) {
  return of.split(/(\(?\d{4}-\d{2}-\d{2}\)?)/).map((part, i) =>
    i % 2 === 0 ? (
      part
    ) : (
      <span key={part} className="unbroken">
        {part}
      </span>
    ),
  )
}

export const sourceColumns: readonly Column<SourceRow>[] = [
  { id: 'provider', header: 'Provider', value: ({ provider }) => provider, minor: true },
  {
    id: 'source',
    header: 'Source',
    value: ({ source }) => source,
    cell: ({ source, provider, rows }) => (
      <span className="two-lines">
        <span className="as-text">
          <SourceName of={source} />
        </span>
        <span className="only-narrow">
          {provider}, {count(rows)} prices
        </span>
      </span>
    ),
    fill: true,
  },
  { id: 'day', header: 'Price date', value: (row) => row.day, cell: (row) => day(row.day) },
  { id: 'age', header: 'Age', value: (row) => row.day, cell: (row) => <Age of={row.day} />, minor: true },
  {
    id: 'rows',
    header: 'Prices',
    value: ({ rows }) => rows,
    cell: ({ rows }) => count(rows),
    number: true,
    minor: true,
  },
]
