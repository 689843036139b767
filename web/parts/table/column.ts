import type { ReactNode } from 'react'
import { round } from '../../../src/domain/money.ts'
import { currency, toCurrency } from '../currency.ts'

export interface Column<Row> {
  readonly id: string
  readonly header: string
  /** The value for sorting, filtering and export. Null is unknown and comes last. */
  readonly value: (row: Row) => string | number | null
  /** How the cell is shown; by default the value as it is. */
  readonly cell?: (row: Row) => ReactNode
  readonly number?: boolean
  /** The unit of the value. In exported files, amounts are in the selected currency. */
  readonly unit?: 'USD' | 'USD/h' | '%' | 'cores' | 'GiB'
  /** Columns of exported files instead of this one, if a cell shows several values. */
  readonly exported?: readonly ExportedColumn<Row>[]
  /** Left out if there is little space. */
  readonly minor?: boolean
  /** Left out on a small laptop, and on what is smaller. */
  readonly desktop?: boolean
  /** Shown only if there is much space. */
  readonly extra?: boolean
  /** Takes the space that other columns leave, and is wrapped or cut if that is little. */
  readonly fill?: boolean
  /** Contains buttons, so it is neither sorted nor exported. */
  readonly action?: boolean
}

export type ExportedColumn<Row> = Pick<Column<Row>, 'header' | 'value' | 'unit'>

const exportedDecimals = { USD: 2, 'USD/h': 6, '%': 1, cores: 3, GiB: 3 } as const

/** Returns the header and the rows of an exported file. */
export function exportOf<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
): { readonly header: string[]; readonly rows: (string | number | null)[][] } {
  const written = columns
    .filter(({ action }) => !action)
    .flatMap((column): readonly ExportedColumn<Row>[] => column.exported ?? [column])
  return {
    header: written.map(({ header, unit }) =>
      unit === undefined ? header : `${header} (${unit.replace('USD', currency.get().code)})`,
    ),
    rows: rows.map((row) =>
      written.map(({ value, unit }) => {
        const cell = value(row)
        if (typeof cell !== 'number' || unit === undefined) return cell
        return round(unit.startsWith('USD') ? toCurrency(cell) : cell, exportedDecimals[unit])
      }),
    ),
  }
}

const marks = ['number', 'minor', 'extra', 'desktop', 'fill', 'action'] as const

export const classOf = (column: Pick<Column<never>, (typeof marks)[number]>) =>
  marks.filter((mark) => column[mark]).join(' ') || undefined

/** Longer names may be cut if there is little space. */
const longChars = 24

/** Returns the whole text of a cell that may be cut. */
export function hoverOf<Row>({ value, number, action }: Column<Row>, row: Row): string | undefined {
  if (number || action) return undefined
  const text = value(row)
  return typeof text === 'string' && text.length > longChars ? text : undefined
}
