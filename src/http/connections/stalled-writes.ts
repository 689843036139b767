import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/**
 * Closes connections whose client has not read anything of its answer for this long. The timeout of a socket is not enough: it restarts
 * with every byte that the client sends.
 */
export function closeStalledWrites(server: Server, seconds: number): void {
  const progress = new Map<Socket, Progress>()
  server.on('connection', (socket: Socket) => {
    progress.set(socket, { written: 0, sinceMs: 0 })
    socket.once('close', () => progress.delete(socket))
  })
  const sweep = setInterval(() => {
    const nowMs = performance.now()
    for (const [socket, last] of progress) {
      const written = writtenBytes(socket)
      if (socket.writableLength === 0 || written !== last.written) {
        last.written = written
        last.sinceMs = nowMs
      } else if (nowMs - last.sinceMs > seconds * 1000) socket.destroy()
    }
  }, sweepMs)
  sweep.unref()
  server.once('close', () => clearInterval(sweep))
}

interface Progress {
  written: number
  sinceMs: number
}

const sweepMs = 1000

/** Bytes that the kernel took; the handle's queue is what node:net itself looks at to see progress within one large write. */
function writtenBytes(socket: Socket & { readonly _handle?: { readonly writeQueueSize?: number } }): number {
  return socket.bytesWritten - socket.writableLength - (socket._handle?.writeQueueSize ?? 0)
}
