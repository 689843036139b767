import type { ReactNode } from 'react'

/** One of the main figures of a page. */
export function Tile({
  label,
  value,
  note,
  tone,
}: {
  label: string
  value: ReactNode
  note?: ReactNode
  tone?: 'good' | 'bad' | undefined
}) {
  return (
    <div className="tile" data-tone={tone}>
      <dt>{label}</dt>
      <dd>
        <b>{value}</b>
        {note !== undefined && <span>{note}</span>}
      </dd>
    </div>
  )
}
