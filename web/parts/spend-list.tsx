import type { ReactNode } from 'react'
import '../styles/overview.css'
import { money } from './figures.ts'
import { Link } from './link.tsx'

export interface SpendItem {
  readonly id: string
  readonly name: string
  readonly note?: ReactNode | undefined
  readonly perMonth: number
  /** If it is not the amount alone, such as one of several that add up. */
  readonly said?: string | undefined
  readonly href?: string
}

/** Lists names with their cost, each with a bar of its share of `whole`, or of the greatest. */
export function SpendList({
  items,
  label,
  whole = Math.max(...items.map(({ perMonth }) => perMonth), 0),
}: {
  items: readonly SpendItem[]
  label: string
  whole?: number
}) {
  return (
    <ul className="spend-list" aria-label={label}>
      {items.map(({ id, name, note, perMonth, said = money(perMonth), href }) => (
        <li key={id} data-id={id}>
          <span className="spend-name">
            {href === undefined ? (
              name
            ) : (
              <Link href={href} title={name}>
                {name}
              </Link>
            )}
            {note !== undefined && <span className="note"> {note}</span>}
          </span>
          <span className="spend-money">{said}</span>
          <span className="spend-bar" aria-hidden="true">
            <span style={{ width: `${whole > 0 ? (100 * Math.max(0, perMonth)) / whole : 0}%` }} />
          </span>
        </li>
      ))}
    </ul>
  )
}
