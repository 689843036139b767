import type { ReactNode } from 'react'

export interface Column<Row> {
  readonly id: string
  readonly header: string
  /** The value for sorting, filtering and export. Null is unknown and comes last. */
  readonly value: (row: Row) => string | number | null
  /** How the cell is shown; by default the value as it is. */
  readonly cell?: (row: Row) => ReactNode
  readonly number?: boolean
  /** Left out if there is little space. */
  readonly minor?: boolean
  /** Shown only if there is much space. */
  readonly extra?: boolean
  /** Takes the space that other columns leave, and is wrapped or cut if that is little. */
  readonly fill?: boolean
  /** Contains buttons, so it is neither sorted nor exported. */
  readonly action?: boolean
}

const marks = ['number', 'minor', 'extra', 'fill', 'action'] as const

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
