import { clock } from '../parts/figures.ts'
import { Icon } from '../parts/icon.tsx'
import { connection } from './connection.ts'
import { useSignal } from './signal.ts'

/** Said while the service does not answer; what was loaded before stays in view. */
export function AwayBanner() {
  const { away } = useSignal(connection.state)
  return (
    <div role="status" aria-live="polite">
      {away !== undefined && (
        <div className="away">
          <Icon name="plug" />
          <span>
            <b>{away.reason}</b> What you see is as of {clock(away.since)}; the connection is tried again by
            itself.
          </span>
        </div>
      )}
    </div>
  )
}
