import type { ReactNode } from 'react'

export interface Column<Row> {
  readonly id: string
  readonly header: string
  /** What it is sorted, filtered and exported by; null is not known and comes last. */
  readonly value: (row: Row) => string | number | null
  /** How it is shown; the value as it is where absent. */
  readonly cell?: (row: Row) => ReactNode
  readonly number?: boolean
  /** Left out where there is little room. */
  readonly minor?: boolean
  /** Shown only where there is much room. */
  readonly extra?: boolean
  /** Takes the room that the others leave, and is broken or cut where that is little. */
  readonly fill?: boolean
  /** Holds buttons: nothing to sort by or to export. */
  readonly action?: boolean
}

const marks = ['number', 'minor', 'extra', 'fill', 'action'] as const

export const classOf = (column: Pick<Column<never>, (typeof marks)[number]>) =>
  marks.filter((mark) => column[mark]).join(' ') || undefined

/** From here on a name is cut where the room is little. */
const longChars = 24

/** The whole text of a cell that may be cut. */
export function hoverOf<Row>({ value, number, action }: Column<Row>, row: Row): string | undefined {
  if (number || action) return undefined
  const text = value(row)
  return typeof text === 'string' && text.length > longChars ? text : undefined
}
