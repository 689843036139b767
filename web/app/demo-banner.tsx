import { useMutation } from '@tanstack/react-query'
import { answer, service } from '../api/client.ts'
import { Icon } from '../parts/icon.tsx'
import { demo } from './demo.ts'
import { leaveDemo } from './session-requests.ts'
import { useSignal } from './signal.ts'

/** States on every page that the data is synthetic, and offers to leave the demo. */
export function DemoBanner() {
  const key = useSignal(demo.key)
  const remove = useMutation({
    mutationFn: () => answer(service.DELETE('/admin/demo')),
    onSuccess: leaveDemo,
  })
  if (key === undefined) return null
  return (
    <section className="demo-banner" aria-label="Demo data">
      <Icon name="info" />
      <span>
        <b>Demo data.</b> Synthetic clusters and machines, in an organisation of their own.
        {remove.isError && ' It could not be removed; try again.'}
      </span>
      <span className="spring" />
      <button type="button" className="button" onClick={() => void leaveDemo()}>
        Leave the demo
      </button>
      <button
        type="button"
        className="button danger"
        disabled={remove.isPending}
        onClick={() => remove.mutate()}
      >
        {remove.isPending ? 'Removing…' : 'Remove demo data'}
      </button>
    </section>
  )
}
