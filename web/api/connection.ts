import { Signal } from '../state/signal.ts'

export interface ConnectionState {
  readonly away: { readonly reason: string } | undefined
}

const lookEveryMs = 1500

/** Whether the service responds. While it does not, it is polled. */
export const connection = {
  state: new Signal<ConnectionState>({ away: undefined }),

  lost(reason: string): void {
    if (connection.state.get().away !== undefined) return
    connection.state.set({ away: { reason } })
    scheduleLook()
  },

  found(): void {
    connection.state.set(noTrouble)
  },

  async isReady(): Promise<boolean> {
    return fetch('/readyz', { credentials: 'omit' }).then(
      ({ ok }) => ok,
      () => false,
    )
  },

  async look(): Promise<void> {
    if (await connection.isReady()) connection.found()
    else scheduleLook()
  },

  /** Waits until the service responds again. Resolves to false if it was not away. */
  async back(): Promise<boolean> {
    if (await connection.isReady()) return false
    connection.lost('The service is not reachable.')
    await new Promise<void>((resolve) => {
      const stop = connection.state.follow(() => {
        if (connection.state.get().away !== undefined) return
        stop()
        resolve()
      })
    })
    return true
  },
}

const noTrouble: ConnectionState = { away: undefined }

function scheduleLook(): void {
  setTimeout(() => {
    if (connection.state.get().away !== undefined) void connection.look()
  }, lookEveryMs)
}

/** If the service is away, the code is fetched when it is back. */
export async function fetchedWhenBack<Code>(fetch: () => Promise<Code>): Promise<Code> {
  try {
    return await fetch()
  } catch (error) {
    if (await connection.back()) return fetch()
    throw error
  }
}
