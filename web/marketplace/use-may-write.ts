import { session } from '../api/session.ts'
import { useSignal } from '../state/signal.ts'

export function useMayWrite(): boolean {
  return useSignal(session.state).record?.scopes.includes('marketplace:write') ?? false
}
