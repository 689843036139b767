import type { paths } from '../api/schema.ts'
import { Signal } from './signal.ts'

export type KeyRecord = paths['/key']['get']['responses'][200]['content']['application/json']
export type Scope = KeyRecord['scopes'][number]

interface SignedIn {
  readonly key: string
  readonly record: KeyRecord
}

export interface SessionState {
  readonly signedIn: SignedIn | undefined
  /** Why nobody is signed in any more. */
  readonly ended: 'refused' | 'left' | undefined
}

const place = 'cheapside-key'

/**
 * Who uses the console. The key lives in this module's memory; it is written to session storage, which ends with the tab,
 * only where the user says so, and never to an address, a cookie or a log.
 */
export const session = {
  state: new Signal<SessionState>({ signedIn: undefined, ended: undefined }),

  key: (): string | undefined => session.state.get().signedIn?.key,

  begin(key: string, record: KeyRecord, remember: boolean): void {
    if (remember) sessionStorage.setItem(place, key)
    else sessionStorage.removeItem(place)
    session.state.set({ signedIn: { key, record }, ended: undefined })
  },

  end(why: 'refused' | 'left'): void {
    sessionStorage.removeItem(place)
    session.state.set({ signedIn: undefined, ended: why })
  },

  remembered: (): string | undefined => sessionStorage.getItem(place) ?? undefined,
}
