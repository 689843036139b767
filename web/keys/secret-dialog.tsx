import { CopyText } from '../parts/copy.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { Notice } from '../parts/states.tsx'

/** Shows a new key once. */
export function SecretDialog({ secret, onClose }: { secret: string; onClose: () => void }) {
  return (
    <Dialog title="The new key" onClose={onClose}>
      <div className="dialog-form">
        <Notice tone="warning" title="Copy it now">
          It is shown only once. The service stores only a hash of it.
        </Notice>
        <CopyText text={secret} wrapped />
        <div className="dialog-foot">
          <button type="button" className="button primary" onClick={onClose}>
            I have saved it
          </button>
        </div>
      </div>
    </Dialog>
  )
}
