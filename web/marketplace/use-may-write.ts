import { session } from '../app/session/session.ts'
import { useSignal } from '../app/signal.ts'

export function useMayWrite(): boolean {
  return useSignal(session.state).record?.scopes.includes('marketplace:write') ?? false
}
