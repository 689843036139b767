import { useMutation, useQueryClient } from '@tanstack/react-query'
import { answer, service } from '../api/client.ts'
import { Dialog } from '../parts/dialog.tsx'
import { Trouble } from '../parts/states.tsx'

interface Props {
  readonly name: string
  readonly onClose: () => void
  readonly onRemoved?: () => void
}

export function RemoveDialog({ name, onClose, onRemoved }: Props) {
  const queries = useQueryClient()
  const remove = useMutation({
    mutationFn: () => answer(service.DELETE('/marketplace/providers/{name}', { params: { path: { name } } })),
    onSuccess: () => {
      void queries.invalidateQueries({ queryKey: ['marketplace'] })
      void queries.invalidateQueries({ queryKey: ['recommendations'] })
      onClose()
      onRemoved?.()
    },
  })
  return (
    <Dialog title={`Remove ${name}?`} onClose={onClose}>
      <div className="dialog-form">
        <p>All its prices go, and no comparison knows of them from now on.</p>
        {remove.error !== null && <Trouble error={remove.error} />}
        <div className="dialog-foot">
          <button type="button" className="button" onClick={onClose}>
            Cancel
          </button>
          <button
            type="button"
            className="button danger"
            disabled={remove.isPending}
            onClick={() => remove.mutate()}
          >
            Remove {name}
          </button>
        </div>
      </div>
    </Dialog>
  )
}
