import { clock } from '../parts/figures.ts'
import { Icon } from '../parts/icon.tsx'
import { connection } from './connection.ts'
import { useSignal } from './signal.ts'

/** Shown while the service does not respond. What was loaded before stays visible. */
export function AwayBanner() {
  const { away } = useSignal(connection.state)
  return (
    <div role="status" aria-live="polite">
      {away !== undefined && (
        <div className="away">
          <Icon name="plug" />
          <span>
            <b>{away.reason}</b> The data shown is from {clock(away.since)}; reconnecting automatically.
          </span>
        </div>
      )}
    </div>
  )
}
