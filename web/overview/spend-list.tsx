import type { ReactNode } from 'react'
import { money } from '../parts/figures.ts'
import { Link } from '../parts/link.tsx'

export interface SpendItem {
  readonly id: string
  readonly name: string
  readonly note?: ReactNode | undefined
  readonly perMonth: number
  readonly href: string
}

/** Lists names with their cost per month, greatest first, each with a bar of its share. */
export function SpendList({ items, label }: { items: readonly SpendItem[]; label: string }) {
  const most = Math.max(...items.map(({ perMonth }) => perMonth), 0)
  return (
    <ul className="spend-list" aria-label={label}>
      {items.map(({ id, name, note, perMonth, href }) => (
        <li key={id}>
          <span className="spend-name">
            <Link href={href} title={name}>
              {name}
            </Link>
            {note !== undefined && <span className="note"> {note}</span>}
          </span>
          <span className="spend-money">{money(perMonth)}</span>
          <span className="spend-bar" aria-hidden="true">
            <span style={{ width: `${most > 0 ? (100 * perMonth) / most : 0}%` }} />
          </span>
        </li>
      ))}
    </ul>
  )
}
