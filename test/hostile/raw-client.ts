import { connect, type Socket } from 'node:net'
import { expect } from 'vitest'

/** Attackers use another loopback address than well-behaved clients. */
export const hostileAddress = '127.0.0.2'

export interface RawOptions {
  /** Do not read what the server sends. */
  readonly unread?: boolean
  readonly localAddress?: string
}

/** A connection that sends whatever bytes it is given. */
export class RawClient {
  readonly socket: Socket
  readonly closed: Promise<void>
  received = ''

  constructor(url: string, { unread = false, localAddress = hostileAddress }: RawOptions = {}) {
    this.socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1', localAddress })
    // The server may reset the connection of an attacker.
    this.socket.on('error', () => {})
    this.closed = new Promise((resolve) => this.socket.once('close', () => resolve()))
    if (unread) this.socket.pause()
    else
      this.socket.on('data', (chunk) => {
        this.received += chunk.toString('latin1')
      })
  }

  get connected(): Promise<boolean> {
    if (!this.socket.connecting) return Promise.resolve(!this.socket.destroyed)
    return new Promise((resolve) => {
      this.socket.once('connect', () => resolve(true))
      this.socket.once('close', () => resolve(false))
    })
  }

  send(...pieces: (string | Uint8Array)[]): this {
    for (const piece of pieces) this.socket.write(piece)
    return this
  }

  /** Status codes of the answers received so far, in order. */
  get statuses(): number[] {
    return [...this.received.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status))
  }

  /** Resolves when this many answers were received or the server closed the connection. */
  async answers(count: number): Promise<number[]> {
    while (this.statuses.length < count && !this.socket.destroyed) {
      await Promise.race([this.closed, new Promise((resolve) => this.socket.once('data', resolve))])
    }
    return this.statuses
  }

  destroy(): void {
    this.socket.destroy()
  }
}

/**
 * The status of the first answer of each client. Some may have none: if a client is still sending when it is refused, as on
 * a busy machine, it may get the reset of the connection before the answer.
 */
export async function firstAnswers(clients: readonly RawClient[]): Promise<number[]> {
  const statuses: number[] = []
  for (const client of clients) {
    statuses.push(...(await client.answers(1)).slice(0, 1))
    client.destroy()
  }
  expect(statuses.length).toBeGreaterThan(clients.length / 2)
  return statuses
}

/** The bytes of a request. */
export function requestText(
  method: string,
  path: string,
  headers: Record<string, string> = {},
  body = '',
): string {
  const lines = Object.entries({ Host: 'a', ...headers }).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`
}

/** Sends many requests in one write and does not read the answers. */
export function pipelineWithoutReading(
  url: string,
  path: string,
  connections: number,
  requests = 1700,
): RawClient[] {
  const bytes = Buffer.from(requestText('GET', path).repeat(requests))
  return Array.from({ length: connections }, () => new RawClient(url, { unread: true }).send(bytes))
}
