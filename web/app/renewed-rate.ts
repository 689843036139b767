import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { catalogueQuery } from '../api/catalogue-query.ts'
import { connection } from '../api/connection.ts'
import type { KeyRecord } from '../api/session.ts'
import { currency, usDollars } from '../parts/currency.ts'
import { renewedCurrency } from '../settings/currency-choice.ts'
import { useSignal } from '../state/signal.ts'

/**
 * Replaces the stored exchange rate by that of the catalogue when the console starts, or when the service is back. Returns
 * how often it has changed: what shows amounts must be rendered again then.
 */
export function useRenewedRate({ scopes }: KeyRecord): number {
  const [changes, setChanges] = useState(0)
  const queries = useQueryClient()
  const { away } = useSignal(connection.state)
  const mayRead = scopes.includes('pricing:read')
  useEffect(() => {
    if (!mayRead || away !== undefined || currency.get().code === usDollars.code) return
    queries.fetchQuery(catalogueQuery).then(
      ({ exchange }) => {
        const renewed = renewedCurrency(currency.get(), exchange)
        if (renewed === currency.get()) return
        currency.set(renewed)
        setChanges((count) => count + 1)
      },
      // The bar names the day of the stored rate, which stays in use.
      () => {},
    )
  }, [queries, mayRead, away])
  return changes
}
