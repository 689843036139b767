import { type ReactNode, useEffect, useId, useRef } from 'react'
import { Icon } from './icon.tsx'

/** A modal dialogue. The browser keeps the focus in it, and Escape closes it. */
export function Dialog({
  title,
  onClose,
  wide = false,
  children,
}: {
  title: string
  onClose: () => void
  wide?: boolean
  children: ReactNode
}) {
  const id = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const shown = dialog.current!
    shown.showModal()
    // The browser would focus the button that closes it.
    shown.querySelector<HTMLElement>('input, select, textarea')?.focus()
  }, [])
  return (
    <dialog ref={dialog} className={wide ? 'wide' : undefined} aria-labelledby={id} onClose={onClose}>
      <div className="dialog-head">
        <h2 id={id}>{title}</h2>
        <button
          type="button"
          className="button plain"
          aria-label="Close"
          onClick={() => dialog.current!.close()}
        >
          <Icon name="close" />
        </button>
      </div>
      {children}
    </dialog>
  )
}

/** A button that cancels, and the buttons of the dialogue. */
export function DialogFoot({ onClose, children }: { onClose: () => void; children: ReactNode }) {
  return (
    <div className="dialog-foot">
      <button type="button" className="button" onClick={onClose}>
        Cancel
      </button>
      {children}
    </div>
  )
}
