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

  const connectLater = () => {
    retry = setTimeout(connect, delayMs * (0.5 + Math.random() / 2))
    delayMs = Math.min(2 * delayMs, maxDelayMs)
  }

  async function connect(): Promise<void> {
    const fresh = newClient(config)
    if (fresh === undefined) return connectLater()
    client = fresh
    const lost = () => {
      if (client !== fresh) return
      client = undefined
      void quit(fresh)
      connectLater()
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

/** The driver reads certificate files each time, and throws if one cannot be read. */
function newClient(config: pg.ClientConfig): pg.Client | undefined {
  try {
    return new pg.Client(config)
  } catch {
    return undefined
  }
}

async function quit(client: pg.Client): Promise<void> {
  client.on('error', () => undefined)
  await client.end().catch(() => undefined)
}
