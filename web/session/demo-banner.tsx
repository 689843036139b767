import { demo } from '../api/demo.ts'
import { Icon } from '../parts/icon.tsx'
import { useSignal } from '../state/signal.ts'
import { RemoveDemo } from './remove-demo.tsx'
import { leaveDemo } from './session-requests.ts'

/** States on every page that the data is synthetic, and offers to leave the demo. */
export function DemoBanner() {
  const key = useSignal(demo.key)
  if (key === undefined) return null
  return (
    <section className="demo-banner" aria-label="Demo data">
      <Icon name="info" />
      <span>
        <b>Demo data.</b> Synthetic clusters and machines, in an organisation of their own.
      </span>
      <span className="spring" />
      <button type="button" className="button" onClick={() => void leaveDemo()}>
        Leave the demo
      </button>
      <RemoveDemo onRemoved={leaveDemo} />
    </section>
  )
}
