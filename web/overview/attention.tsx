import type { ReactNode } from 'react'
import { Icon, type IconName } from '../parts/icon.tsx'
import { Link } from '../parts/link.tsx'

export interface AttentionItem {
  readonly id: string
  readonly icon: IconName
  readonly title: string
  readonly text: ReactNode
  readonly href?: string
}

interface Props {
  readonly items: readonly AttentionItem[]
  /** Why there may be more; undefined if everything was checked. */
  readonly unchecked: string | undefined
}

/** Lists what the user should look at, or states that there is nothing. */
export function Attention({ items, unchecked }: Props) {
  if (items.length === 0) return <p className="note">{unchecked ?? 'Nothing needs attention.'}</p>
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
      {unchecked !== undefined && <li className="note">{unchecked}</li>}
    </ul>
  )
}
