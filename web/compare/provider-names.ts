import { useMemo } from 'react'
import { session } from '../api/session.ts'
import { useSignal } from '../state/signal.ts'
import { useProviders } from './queries.ts'

/**
 * Returns the display name of a provider key, such as AWS for aws. If the user may not read prices, it returns the key
 * itself.
 */
export function useProviderName(): (key: string) => string {
  const mayRead = useSignal(session.state).record?.scopes.includes('pricing:read') ?? false
  const { data } = useProviders(mayRead)
  return useMemo(() => (key) => data?.[key]?.provider ?? key, [data])
}
