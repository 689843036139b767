import type { ReactNode } from 'react'
import { Link } from '../app/link.tsx'
import { Icon, type IconName } from '../parts/icon.tsx'

export interface AttentionItem {
  readonly id: string
  readonly icon: IconName
  readonly title: string
  readonly text: ReactNode
  readonly href?: string
}

/** Lists what the user should look at, or states that there is nothing. */
export function Attention({ items }: { items: readonly AttentionItem[] }) {
  if (items.length === 0) return <p className="note">Nothing needs attention.</p>
  return (
    <ul className="attention">
      {items.map(({ id, icon, title, text, href }) => (
        <li key={id}>
          <Icon name={icon} size={18} />
          <div>
            {href === undefined ? <b>{title}</b> : <Link href={href}>{title}</Link>}
            <span>{text}</span>
          </div>
        </li>
      ))}
    </ul>
  )
}
