import { afterAll, beforeAll, expect, test } from 'vitest'
import { type AttackedService, startAttackedService, type Target } from './harness.ts'
import { RawClient, requestText } from './raw-client.ts'

// The service gives clients four seconds here; each test waits until it has closed every connection by itself.

let attacked: AttackedService
beforeAll(async () => {
  attacked = await startAttackedService({ CHEAPSIDE_OPEN_LIMIT: '0' })
})
afterAll(() => attacked?.end())

const headersFor = (target: Target, length?: number) => ({
  'X-API-KEY': attacked.hostileKey,
  ...(length === undefined ? {} : { 'Content-Type': contentType(target), 'Content-Length': `${length}` }),
})
const contentType = ({ path }: Target) =>
  path === '/api/v1/write' ? 'application/x-protobuf' : 'application/json'

/** Opens `perTarget` connections to every route; all must be closed by the server. */
async function attackAll(
  perTarget: number,
  unread: boolean,
  bytesFor: (target: Target) => string,
): Promise<void> {
  const clients = attacked.targets.flatMap((target) =>
    Array.from({ length: perTarget }, () =>
      new RawClient(attacked.service.url, { unread }).send(bytesFor(target)),
    ),
  )
  await attacked.othersAreServed()
  if (unread) {
    // A paused socket is never told that it was closed; what it writes shows it.
    const probing = setInterval(() => {
      for (const { socket } of clients) if (!socket.destroyed) socket.write('X')
    }, 200)
    await Promise.all(clients.map(({ closed }) => closed))
    clearInterval(probing)
  } else await Promise.all(clients.map(({ closed }) => closed))
  await attacked.othersAreServed()
}

test('readers that never read what they asked for', () =>
  attackAll(4, true, (target) => requestText(target.method, target.path, headersFor(target)).repeat(30)))

test('writers that never end their header fields', () =>
  attackAll(4, false, (target) => `${target.method} ${target.path} HTTP/1.1\r\nHost: a\r\nX-`))

test('connections that never say anything', () => attackAll(4, false, () => ''))

test('writers that never end their bodies', () =>
  attackAll(
    4,
    false,
    (target) => `${requestText(target.method, target.path, headersFor(target, 1000))}{"a":`,
  ))

test('writers of one byte at a time are cut off in time', async () => {
  const clients = attacked.targets.map((target) =>
    new RawClient(attacked.service.url).send(
      requestText(target.method, target.path, headersFor(target, 100_000)),
    ),
  )
  const dripping = setInterval(() => {
    for (const client of clients) if (!client.socket.destroyed) client.send(' ')
  }, 100)
  await attacked.othersAreServed()
  await Promise.all(clients.map(({ closed }) => closed))
  clearInterval(dripping)
  await attacked.othersAreServed()
})

test('a slow writer is told why', async () => {
  const client = new RawClient(attacked.service.url).send('GET /healthz HTTP/1.1\r\n')
  await client.closed
  expect(client.received).toContain('"code":"timeout"')
})
