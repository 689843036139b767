import { type ReactNode, type RefObject, useId, useRef } from 'react'
import { Icon } from './icon.tsx'

/** A button that says what is chosen and opens where it is chosen. Escape and leaving it close it. */
export function Popover({
  label,
  said,
  closer,
  side = 'left',
  onOpen,
  children,
}: {
  label: string
  said: ReactNode
  /** Set to what closes it and gives the focus back. */
  closer?: RefObject<() => void>
  /** The edge that it is aligned with. */
  side?: 'left' | 'right'
  onOpen?: () => void
  children: ReactNode
}) {
  const id = useId()
  const box = useRef<HTMLDetailsElement>(null)
  const close = () => {
    if (box.current === null) return
    box.current.open = false
    box.current.querySelector('summary')?.focus()
  }
  if (closer !== undefined) closer.current = close
  return (
    <details
      ref={box}
      className="popover"
      data-side={side}
      onToggle={(event) => event.currentTarget.open && onOpen?.()}
      onBlur={(event) => {
        const to = event.relatedTarget
        // Without a target the window lost the focus, as it does for a date picker.
        if (to !== null && !event.currentTarget.contains(to)) event.currentTarget.open = false
      }}
      onKeyDown={(event) => event.key === 'Escape' && close()}
    >
      <summary className="select-like" aria-labelledby={`${id}-label ${id}-said`}>
        <span className="unseen" id={`${id}-label`}>
          {label}:
        </span>
        <span className="select-said" id={`${id}-said`}>
          {said}
        </span>
        <Icon name="chevron" size={15} />
      </summary>
      <div className="popover-body" tabIndex={-1}>
        {children}
      </div>
    </details>
  )
}
