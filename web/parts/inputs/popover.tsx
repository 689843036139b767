import { type ReactNode, type RefObject, useId, useRef } from 'react'
import { Icon } from '../icon.tsx'

/** A button that shows the current choice and opens a popover. Escape or leaving it closes it. */
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
  /** Set to a function that closes the popover and returns the focus. */
  closer?: RefObject<() => void>
  /** The edge of the button with which the popover is aligned. */
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
        // If there is no target, the window lost the focus, as it does for a date picker.
        if (to !== null && !event.currentTarget.contains(to)) event.currentTarget.open = false
      }}
      onKeyDown={(event) => event.key === 'Escape' && close()}
    >
      <summary className="select-like" aria-labelledby={`${id}-label ${id}-said`}>
        <span className="visually-hidden" id={`${id}-label`}>
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
