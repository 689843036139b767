import { useMemo } from 'react'
import { session } from '../app/session.ts'
import { useSignal } from '../app/signal.ts'
import { useProviders } from './questions.ts'

/** AWS for aws. A key that may not read prices shows keys of providers as they are. */
export function useProviderName(): (key: string) => string {
  const mayRead = useSignal(session.state).record?.scopes.includes('pricing:read') ?? false
  const { data } = useProviders(mayRead)
  return useMemo(() => (key) => data?.[key]?.provider ?? key, [data])
}
