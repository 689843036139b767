import { afterAll, beforeAll, describe, expect } from 'vitest'
import { testOnLinux as test } from '../peers/test-with.ts'
import { type AttackedService, startAttackedService } from './harness.ts'
import { pipelineWithoutReading, RawClient, requestText } from './raw-client.ts'
import { stayUnread } from './unread.case.ts'

let attacked: AttackedService
beforeAll(async () => {
  attacked = await startAttackedService({ CHEAPSIDE_OPEN_LIMIT: '0' })
})
afterAll(() => attacked?.end())

describe('1,700 requests in one write, and nothing read', () => {
  test.each(['/openapi.json', '/metrics'])('%s over 50 connections', (path) =>
    stayUnread(attacked, () => pipelineWithoutReading(attacked.service.url, path, 50)),
  )
})

describe('pipelining within bounds', () => {
  const get = (path: string, headers = {}) => requestText('GET', path, headers)

  test('answers come in the order of the requests', async () => {
    const client = new RawClient(attacked.service.url).send(
      get('/healthz') + get('/nowhere') + get('/openapi.json') + get('/key') + get('/healthz'),
    )
    expect(await client.answers(5)).toEqual([200, 404, 200, 401, 200])
    client.send(get('/healthz'))
    expect(await client.answers(6)).toHaveLength(6)
    client.destroy()
  })

  test('requests that change something take effect one after another', async () => {
    const { url, key } = attacked.service
    const post = (path: string, body: object) => {
      const text = JSON.stringify(body)
      const headers = {
        'X-API-KEY': key,
        'Content-Type': 'application/json',
        'Content-Length': `${text.length}`,
      }
      return requestText('POST', path, headers, text)
    }
    const entry = { cost_per_hour: 1, cpu_cores: 1, ram_gb: 1, instance_type: 'a', region: 'r' }
    const removal = requestText('DELETE', '/marketplace/providers/ahead', { 'X-API-KEY': key })
    const client = new RawClient(url).send(
      post('/marketplace/providers', { name: 'ahead', entries: [entry] }) + removal + removal,
    )
    await client.answers(3)
    const removed = [...client.received.matchAll(/"Entries":(\d+)/g)].map(([, entries]) => Number(entries))
    expect(removed.slice(0, 2)).toEqual([1, 1])
    client.destroy()
  })

  test('requests within the limit are answered, then the connection is closed with a reason', async () => {
    const client = new RawClient(attacked.service.url).send(get('/healthz').repeat(100))
    await client.closed
    expect(client.statuses).toEqual([...Array(33).fill(200), 429])
    expect(client.received).toContain('"code":"rate-limited"')
  })

  test('HEAD', async () => {
    const client = new RawClient(attacked.service.url).send(requestText('HEAD', '/openapi.json').repeat(5))
    expect(await client.answers(5)).toEqual(Array(5).fill(200))
    expect(client.received).not.toContain('"openapi"')
    client.destroy()
  })

  test('a request after Connection: close is not answered', async () => {
    const last = get('/healthz', { Connection: 'close' })
    const client = new RawClient(attacked.service.url).send(get('/healthz') + last + get('/key'))
    await client.closed
    expect(client.statuses).toEqual([200, 200])
  })

  test('a broken message is answered after those before it, and nothing after it', async () => {
    const client = new RawClient(attacked.service.url).send(
      `${get('/openapi.json') + get('/healthz')}BROKEN\r\n\r\n${get('/healthz')}`,
    )
    await client.closed
    expect(client.statuses).toEqual([200, 200, 400])
    expect(client.received.trimEnd().endsWith('}')).toBe(true)
  })

  test('a truncated body is answered after the requests before it', async () => {
    const headers = {
      'X-API-KEY': attacked.hostileKey,
      'Content-Type': 'application/json',
      'Transfer-Encoding': 'chunked',
    }
    const client = new RawClient(attacked.service.url).send(
      `${get('/openapi.json') + requestText('POST', '/pricing', headers)}5\r\n{"a":\r\nzz\r\n`,
    )
    await client.closed
    expect(client.statuses).toEqual([200, 400])
  })

  test('a request that was refused before it arrived completely is not answered twice', async () => {
    const headers = { 'Content-Type': 'application/json', 'Transfer-Encoding': 'chunked' }
    const client = new RawClient(attacked.service.url).send(requestText('POST', '/pricing', headers))
    expect(await client.answers(1)).toEqual([401])
    client.send('zz\r\n')
    await client.closed
    expect(client.statuses).toEqual([401])
  })
})
