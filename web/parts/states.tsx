import type { ReactNode } from 'react'
import { explain, isMissing } from '../api/problem.ts'
import { Icon, type IconName } from './icon.tsx'

/** Shown if there is nothing to show, with what to do about it. */
export function Empty({
  icon,
  title,
  text,
  children,
}: {
  icon: IconName
  title: string
  text: ReactNode
  children?: ReactNode
}) {
  return (
    <section className="empty">
      <span className="empty-icon">
        <Icon name={icon} size={26} />
      </span>
      <h2>{title}</h2>
      <p>{text}</p>
      {children}
    </section>
  )
}

type Tone = 'info' | 'warning' | 'danger' | 'good'

export function Notice({ tone, title, children }: { tone: Tone; title?: string; children?: ReactNode }) {
  const icon = { info: 'info', warning: 'warning', danger: 'warning', good: 'check' } as const
  return (
    <div className={`notice ${tone}`} role={tone === 'danger' ? 'alert' : undefined}>
      <Icon name={icon[tone]} />
      <div>
        {title !== undefined && <b>{title}</b>}
        {children !== undefined && <div>{children}</div>}
      </div>
    </div>
  )
}

/** Explains a failed request, with a button to repeat it. */
export function Trouble({ error, again }: { error: unknown; again?: () => void }) {
  const { text, details, requestId } = explain(error)
  return (
    <Notice tone={isMissing(error) ? 'warning' : 'danger'} title={text}>
      {details.length > 0 && (
        <ul className="plain-list">
          {details.map((detail) => (
            <li key={detail}>{detail}</li>
          ))}
        </ul>
      )}
      {requestId !== undefined && <p className="note">Request {requestId}</p>}
      {again !== undefined && (
        <button type="button" className="button" onClick={again}>
          Try again
        </button>
      )}
    </Notice>
  )
}

/** Appears only after a moment, so that quick responses do not flicker. */
export function Progress({ label }: { label: string }) {
  return (
    <div className="progress" role="status">
      <span className="progress-bar" aria-hidden="true" />
      <span>{label}…</span>
    </div>
  )
}

/** Placeholder in the shape of the content that is loading. */
export function Skeleton({ lines = 6, label }: { lines?: number; label: string }) {
  return (
    <div className="skeleton" role="status">
      <span className="visually-hidden">{label}…</span>
      {Array.from({ length: lines }, (_, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other key
        <span key={i} aria-hidden="true" />
      ))}
    </div>
  )
}
