import type { paths } from '../api/schema.ts'
import { Signal } from './signal.ts'

export type KeyRecord = paths['/key']['get']['responses'][200]['content']['application/json']
export type Scope = KeyRecord['scopes'][number]

export interface SessionState {
  /** The key that was traded for the session. */
  readonly record: KeyRecord | undefined
  /** Why nobody is signed in any more. */
  readonly ended: 'refused' | 'left' | undefined
}

/**
 * Who uses the console. The key itself is traded for a cookie that scripts cannot read, and kept nowhere: neither in
 * memory nor in storage, an address or a log.
 */
export const session = {
  state: new Signal<SessionState>({ record: undefined, ended: undefined }),

  isOpen: (): boolean => session.state.get().record !== undefined,

  begin(record: KeyRecord): void {
    session.state.set({ record, ended: undefined })
  },

  end(why: 'refused' | 'left'): void {
    session.state.set({ record: undefined, ended: why })
  },
}
