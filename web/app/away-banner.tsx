import { moment } from '../parts/figures.ts'
import { Icon } from '../parts/icon.tsx'
import { connection } from './connection.ts'
import { useLoadedAt } from './loaded-at.ts'
import { useSignal } from './signal.ts'

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
