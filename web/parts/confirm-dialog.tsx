import type { ReactNode } from 'react'
import { Dialog, DialogFoot } from './dialog.tsx'
import { Trouble } from './states.tsx'

interface Props {
  readonly title: string
  /** Label of the button. */
  readonly action: string
  readonly tone: 'primary' | 'danger'
  readonly change: { readonly isPending: boolean; readonly error: unknown; mutate(): void }
  readonly onClose: () => void
  readonly children: ReactNode
}

/** Describes a change and makes it only after confirmation. */
export function ConfirmDialog({ title, action, tone, change, onClose, children }: Props) {
  return (
    <Dialog title={title} onClose={onClose}>
      <div className="dialog-form">
        {children}
        {change.error !== null && <Trouble error={change.error} />}
        <DialogFoot onClose={onClose}>
          <button
            type="button"
            className={`button ${tone}`}
            disabled={change.isPending}
            onClick={() => change.mutate()}
          >
            {action}
          </button>
        </DialogFoot>
      </div>
    </Dialog>
  )
}
