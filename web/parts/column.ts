import type { ReactNode } from 'react'

export interface Column<Row> {
  readonly id: string
  readonly header: string
  /** What it is sorted, filtered and exported by; null is not known and comes last. */
  readonly value: (row: Row) => string | number | null
  /** How it is shown; the value as it is where absent. */
  readonly cell?: (row: Row) => ReactNode
  readonly number?: boolean
  /** Left out where the screen is narrow. */
  readonly minor?: boolean
  /** Shown only where there is much room. */
  readonly extra?: boolean
}

export const classOf = ({ number, minor, extra }: Pick<Column<never>, 'number' | 'minor' | 'extra'>) =>
  [number && 'number', minor && 'minor', extra && 'extra'].filter(Boolean).join(' ') || undefined
