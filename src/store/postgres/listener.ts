import pg from 'pg'

export const channel = 'cheapside_changes'

export interface Listener {
  subscribe(onHint: () => void): () => void
  close(): Promise<void>
}

const shortestDelayMs = 250
const maxDelayMs = 5_000

/** Holds a dedicated connection while there are subscribers, and reconnects automatically. */
export function postgresListener(config: pg.ClientConfig): Listener {
  const listeners = new Set<() => void>()
  let client: pg.Client | undefined
  let retry: NodeJS.Timeout | undefined
  let delayMs = shortestDelayMs

  const hint = () => {
    for (const listener of listeners) listener()
  }

  async function connect(): Promise<void> {
    const fresh = new pg.Client(config)
    client = fresh
    const lost = () => {
      if (client !== fresh) return
      client = undefined
      void quit(fresh)
      retry = setTimeout(connect, delayMs * (0.5 + Math.random() / 2))
      delayMs = Math.min(2 * delayMs, maxDelayMs)
    }
    fresh.on('error', lost)
    fresh.on('end', lost)
    fresh.on('notification', hint)
    try {
      await fresh.connect()
      await fresh.query(`LISTEN ${channel}`)
      delayMs = shortestDelayMs
      // Subscribers check for changes that were notified while the connection was down.
      if (client === fresh) hint()
    } catch {
      lost()
    }
  }

  async function disconnect(): Promise<void> {
    clearTimeout(retry)
    const last = client
    client = undefined
    if (last !== undefined) await quit(last)
  }

  return {
    subscribe(onHint) {
      const own = () => onHint()
      listeners.add(own)
      if (listeners.size === 1) void connect()
      return () => {
        if (listeners.delete(own) && listeners.size === 0) void disconnect()
      }
    },
    close() {
      listeners.clear()
      return disconnect()
    },
  }
}

async function quit(client: pg.Client): Promise<void> {
  client.on('error', () => undefined)
  await client.end().catch(() => undefined)
}
