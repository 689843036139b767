import { Signal } from './signal.ts'

export interface ConnectionState {
  readonly away: { readonly since: Date; readonly reason: string } | undefined
}

const lookEveryMs = 1500

/** Whether the service responds. While it does not, it is polled. */
export const connection = {
  state: new Signal<ConnectionState>({ away: undefined }),

  lost(reason: string): void {
    if (connection.state.get().away !== undefined) return
    connection.state.set({ away: { since: new Date(), reason } })
    scheduleLook()
  },

  found(): void {
    connection.state.set(noTrouble)
  },

  async look(): Promise<void> {
    const ready = await fetch('/readyz', { credentials: 'omit' }).then(
      ({ ok }) => ok,
      () => false,
    )
    if (ready) connection.found()
    else scheduleLook()
  },
}

const noTrouble: ConnectionState = { away: undefined }

function scheduleLook(): void {
  setTimeout(() => {
    if (connection.state.get().away !== undefined) void connection.look()
  }, lookEveryMs)
}
