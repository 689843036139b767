import { useMutation, useQueryClient } from '@tanstack/react-query'
import { answer, service } from '../api/client.ts'
import { ConfirmDialog } from '../parts/confirm-dialog.tsx'

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
      void queries.invalidateQueries({ queryKey: ['comparison'] })
      onClose()
      onRemoved?.()
    },
  })
  return (
    <ConfirmDialog
      title={`Remove ${name}?`}
      action={`Remove ${name}`}
      tone="danger"
      change={remove}
      onClose={onClose}
    >
      <p>All its prices are deleted and no longer part of comparisons.</p>
    </ConfirmDialog>
  )
}
