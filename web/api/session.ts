import { Signal } from '../state/signal.ts'
import { demo } from './demo.ts'
import type { paths } from './schema.ts'

export type KeyRecord = paths['/key']['get']['responses'][200]['content']['application/json']
export type Scope = KeyRecord['scopes'][number]

export interface SessionState {
  /** The key that was exchanged for the session. */
  readonly record: KeyRecord | undefined
  /** Why the session ended. */
  readonly ended: 'refused' | 'left' | undefined
}

const place = 'cheapside-session'

/**
 * Returns the key record of this browser's last session, so that a page can open while the service confirms it. It
 * contains no secret.
 */
function remembered(): KeyRecord | undefined {
  if (demo.key.get() !== undefined) return undefined
  try {
    return JSON.parse(localStorage.getItem(place) ?? 'null') ?? undefined
  } catch {
    return undefined
  }
}

/**
 * The user's session. The key itself is exchanged for a cookie that scripts cannot read. It is not kept in memory, in
 * storage, in an address or in a log.
 */
export const session = {
  state: new Signal<SessionState>({ record: remembered(), ended: undefined }),

  isOpen: (): boolean => session.state.get().record !== undefined,

  begin(record: KeyRecord): void {
    const text = JSON.stringify(record)
    if (demo.key.get() === undefined) localStorage.setItem(place, text)
    const { record: shown } = session.state.get()
    if (text === JSON.stringify(shown)) return
    // What was loaded with another key may belong to another organisation.
    if (shown !== undefined && shown.id !== record.id) session.state.set({ record: undefined, ended: 'left' })
    session.state.set({ record, ended: undefined })
  },

  /** Continues with the session that another tab has begun, because this tab sends the same cookie. */
  followOtherTabs(): void {
    addEventListener('storage', ({ key }) => {
      const record = key === place ? remembered() : undefined
      if (record !== undefined) session.begin(record)
    })
  },

  end(why: 'refused' | 'left'): void {
    localStorage.removeItem(place)
    session.state.set({ record: undefined, ended: why })
  },
}
