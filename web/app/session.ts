import type { paths } from '../api/schema.ts'
import { demo } from './demo.ts'
import { Signal } from './signal.ts'

export type KeyRecord = paths['/key']['get']['responses'][200]['content']['application/json']
export type Scope = KeyRecord['scopes'][number]

export interface SessionState {
  /** The key that was traded for the session. */
  readonly record: KeyRecord | undefined
  /** Why nobody is signed in any more. */
  readonly ended: 'refused' | 'left' | undefined
}

const place = 'cheapside-session'

/** Whose session this browser had, so that a page opens while the service confirms it. It has no secret. */
function remembered(): KeyRecord | undefined {
  if (demo.key.get() !== undefined) return undefined
  try {
    return JSON.parse(localStorage.getItem(place) ?? 'null') ?? undefined
  } catch {
    return undefined
  }
}

/**
 * Who uses the console. The key itself is traded for a cookie that scripts cannot read, and kept nowhere: neither in
 * memory nor in storage, an address or a log.
 */
export const session = {
  state: new Signal<SessionState>({ record: remembered(), ended: undefined }),

  isOpen: (): boolean => session.state.get().record !== undefined,

  begin(record: KeyRecord): void {
    const text = JSON.stringify(record)
    if (demo.key.get() === undefined) localStorage.setItem(place, text)
    if (text !== JSON.stringify(session.state.get().record)) session.state.set({ record, ended: undefined })
  },

  end(why: 'refused' | 'left'): void {
    localStorage.removeItem(place)
    session.state.set({ record: undefined, ended: why })
  },
}
