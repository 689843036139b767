import { afterAll, beforeAll, expect } from 'vitest'
import { testOnLinux as test } from '../peers/test-with.ts'
import { type AttackedService, startAttackedService, type Target } from './harness.ts'
import { RawClient, requestText } from './raw-client.ts'
import { closedUnread } from './unread.case.ts'

// Clients have four seconds here. Each test waits until the service has closed every connection.

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

const closedBy = (clients: readonly RawClient[]) => Promise.all(clients.map(({ closed }) => closed))

/** Opens a connection to every route; all must be closed by the server. */
async function attackAll(bytesFor: (target: Target) => string): Promise<void> {
  const clients = attacked.targets.map((target) => new RawClient(attacked.service.url).send(bytesFor(target)))
  await attacked.othersAreServed()
  await closedBy(clients)
  await attacked.othersAreServed()
}

test('clients that never read the answer', async () => {
  const paths = ['/openapi.json', '/metrics', '/providers']
  const clients = paths.map((path) =>
    new RawClient(attacked.service.url, { unread: true }).send(
      requestText('GET', path, { 'X-API-KEY': attacked.hostileKey }).repeat(30),
    ),
  )
  await attacked.othersAreServed()
  await closedUnread(clients)
  await attacked.othersAreServed()
})

test('clients that stall in any way, all at once, are disconnected in time', () =>
  Promise.all([endlessHeaders(), silence(), endlessBodies(), singleBytes()]))

test('a request line that stalls is answered', tooSlowRequest)

const endlessHeaders = () =>
  attackAll((target) => `${target.method} ${target.path} HTTP/1.1\r\nHost: a\r\nX-`)

const silence = () => attackAll(() => '')

const endlessBodies = () =>
  attackAll((target) => `${requestText(target.method, target.path, headersFor(target, 1000))}{"a":`)

async function singleBytes(): Promise<void> {
  const clients = attacked.targets.map((target) =>
    new RawClient(attacked.service.url).send(
      requestText(target.method, target.path, headersFor(target, 100_000)),
    ),
  )
  const dripping = setInterval(() => {
    for (const client of clients) if (!client.socket.destroyed) client.send(' ')
  }, 100)
  await attacked.othersAreServed()
  await closedBy(clients)
  clearInterval(dripping)
  await attacked.othersAreServed()
}

async function tooSlowRequest(): Promise<void> {
  const client = new RawClient(attacked.service.url).send('GET /healthz HTTP/1.1\r\n')
  await client.closed
  expect(client.received).toContain('"code":"timeout"')
}
