import { connection } from '../api/connection.ts'
import { moment } from '../parts/figures.ts'
import { Icon } from '../parts/icon.tsx'
import { useSignal } from '../state/signal.ts'
import { useLoadedAt } from './loaded-at.ts'

/** Shown while the service does not respond. What was loaded before stays visible. */
export function AwayBanner() {
  const { away } = useSignal(connection.state)
  const loadedAt = useLoadedAt()
  return (
    <div role="status" aria-live="polite">
      {away !== undefined && (
        <div className="away">
          <Icon name="plug" />
          <span>
            <b>{away.reason}</b>{' '}
            {loadedAt !== undefined &&
              `The data shown was loaded at ${moment(new Date(loadedAt).toISOString())}. `}
            Reconnecting automatically.
          </span>
        </div>
      )}
    </div>
  )
}
