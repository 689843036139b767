import { afterAll, beforeAll, expect } from 'vitest'
import { testOnLinux as test } from '../peers/test-with.ts'
import { eventually } from '../service.ts'
import { type AttackedService, startAttackedService } from './harness.ts'
import { RawClient, requestText } from './raw-client.ts'

const proxy = '127.0.0.3'
let attacked: AttackedService
beforeAll(async () => {
  attacked = await startAttackedService({
    CHEAPSIDE_ADDRESS_CONNECTIONS: '100',
    CHEAPSIDE_TRUSTED_PROXIES: proxy,
    CHEAPSIDE_OPEN_LIMIT: '1',
    CHEAPSIDE_OPEN_BURST: '50',
    CHEAPSIDE_REQUEST_SECONDS: '3600',
  })
})
afterAll(() => attacked?.end())

const ask = requestText('GET', '/key')

test('connections of an address beyond the limit are refused and closed, other addresses are served', async () => {
  const clients: RawClient[] = []
  for (let n = 0; n < 300; n++) {
    const client = new RawClient(attacked.service.url)
    await client.connected
    clients.push(client)
  }
  const refused = clients.slice(100)
  await Promise.all(refused.map(({ closed }) => closed))
  for (const { received } of refused) expect(received).toContain('"code":"too-many-connections"')
  await attacked.othersAreServed()
  for (const client of clients) client.destroy()
  await eventually(async () => {
    const client = new RawClient(attacked.service.url).send(ask)
    const [status] = await client.answers(1)
    client.destroy()
    return status !== 503
  })
})

test('a trusted proxy may have more', async () => {
  const clients = Array.from(
    { length: 150 },
    () => new RawClient(attacked.service.url, { localAddress: proxy }),
  )
  const key = { 'X-API-KEY': attacked.hostileKey }
  for (const client of clients) client.send(requestText('GET', '/key', key))
  for (const client of clients) expect(await client.answers(1)).toEqual([200])
  for (const client of clients) client.destroy()
})

test('connections that come and go', async () => {
  for (let round = 0; round < 20; round++) {
    const clients = Array.from({ length: 80 }, () => new RawClient(attacked.service.url).send(ask))
    await Promise.all(clients.map(({ connected }) => connected))
    for (const client of clients) client.destroy()
  }
  await attacked.othersAreServed()
})

test('routes without a key have a rate limit per address, and behind a proxy per client', async () => {
  const statusesFrom = async (client: string, path: string) => {
    const statuses: number[] = []
    const connection = new RawClient(attacked.service.url, { localAddress: proxy })
    for (let n = 1; n <= 60; n++) {
      connection.send(requestText('GET', path, { 'X-Forwarded-For': client, 'If-None-Match': '*' }))
      statuses.push((await connection.answers(n))[n - 1]!)
    }
    connection.destroy()
    return statuses
  }
  const paths = attacked.targets.filter(({ method }) => method === 'GET').map(({ path }) => path)
  const open = ['/healthz', '/readyz', '/metrics', '/openapi.json', '/docs', '/', '/console', '/nowhere']
  expect(paths).toEqual(expect.arrayContaining(open))
  for (const [n, path] of open.entries()) {
    const statuses = await statusesFrom(`192.0.2.${n}`, path)
    expect(statuses.slice(0, 50)).not.toContain(429)
    expect(statuses, path).toContain(429)
  }
  await attacked.othersAreServed()
})
