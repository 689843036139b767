import { setParams, usePlace } from '../../state/router.ts'
import { MultiChoice } from '../inputs/multi-choice.tsx'
import type { Column } from './column.ts'

const param = 'column'

/** Chooses the columns of a table beside its first one; the address names them. */
export function ColumnChoice<Row>({ columns }: { columns: readonly Column<Row>[] }) {
  const { params } = usePlace()
  return (
    <MultiChoice
      label="Columns"
      none="Usual columns"
      choices={columns.slice(1).map(({ id, header }) => ({ value: id, label: header }))}
      chosen={params.getAll(param)}
      onChange={(to) => setParams({ [param]: to }, 'push')}
    />
  )
}

/** Columns that were chosen are shown at every width. Without a choice, all but those of `more` are shown. */
export function chosenColumns<Row>(
  columns: readonly Column<Row>[],
  more: readonly string[],
  params: URLSearchParams,
): readonly Column<Row>[] {
  const chosen = params.getAll(param)
  const found = columns.slice(1).filter(({ id }) => chosen.includes(id))
  if (found.length === 0) return columns.filter(({ id }) => !more.includes(id))
  return [columns[0]!, ...found.map(({ minor: _, extra: __, desktop: ___, ...column }) => column)]
}
