import type { AttackedService } from './harness.ts'
import type { RawClient } from './raw-client.ts'

/** Others are served while clients do not read their answers, and after the service has closed the connections. */
export async function stayUnread(attacked: AttackedService, open: () => readonly RawClient[]): Promise<void> {
  const clients = open()
  await attacked.othersAreServed()
  // Paused sockets do not notice that they were closed, so the rest is read.
  for (const { socket } of clients) socket.resume()
  await Promise.all(clients.map(({ closed }) => closed))
  await attacked.othersAreServed()
}

/** Until the service has closed every connection, though nothing is read. */
export async function closedUnread(clients: readonly RawClient[]): Promise<void> {
  // A paused socket does not notice that it was closed, unless it writes.
  const probing = setInterval(() => {
    for (const { socket } of clients) if (!socket.destroyed) socket.write('X')
  }, 200)
  await Promise.all(clients.map(({ closed }) => closed))
  clearInterval(probing)
}
