import { useMutation } from '@tanstack/react-query'
import { answer, service } from '../api/client.ts'

/** Removes the demo data. */
export function RemoveDemo({ onRemoved }: { onRemoved: () => unknown }) {
  const remove = useMutation({
    mutationFn: () => answer(service.DELETE('/admin/demo')),
    onSuccess: onRemoved,
  })
  return (
    <>
      {remove.isError && <span role="alert">It could not be removed; try again.</span>}
      <button
        type="button"
        className="button danger"
        disabled={remove.isPending}
        onClick={() => remove.mutate()}
      >
        {remove.isPending ? 'Removing…' : 'Remove demo data'}
      </button>
    </>
  )
}
