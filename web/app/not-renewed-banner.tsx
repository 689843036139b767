import { useQueryClient } from '@tanstack/react-query'
import { connection } from '../api/connection.ts'
import { moment } from '../parts/figures.ts'
import { Icon } from '../parts/icon.tsx'
import { useSignal } from '../state/signal.ts'
import { isNotRenewed, useLoadedAt } from './loaded-at.ts'

/** Shown if the service responds, but new data of the page could not be loaded. What was loaded before stays visible. */
export function NotRenewedBanner() {
  const { away } = useSignal(connection.state)
  const loadedAt = useLoadedAt(isNotRenewed)
  const queries = useQueryClient()
  const again = () => void queries.refetchQueries({ type: 'active', predicate: isNotRenewed })
  return (
    <div role="status" aria-live="polite">
      {away === undefined && loadedAt !== undefined && (
        <div className="away">
          <Icon name="warning" />
          <span>
            <b>Some data on this page is old, because it could not be loaded again.</b> It was loaded at{' '}
            {moment(new Date(loadedAt).toISOString())}.
          </span>
          <button type="button" className="button" onClick={again}>
            Try again
          </button>
        </div>
      )}
    </div>
  )
}
