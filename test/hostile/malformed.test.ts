import { afterAll, beforeAll, describe, expect } from 'vitest'
import { testOnLinux as test } from '../peers/test-with.ts'
import { type AttackedService, startAttackedService } from './harness.ts'
import { firstAnswers, RawClient, requestText } from './raw-client.ts'

let attacked: AttackedService
beforeAll(async () => {
  attacked = await startAttackedService({ CHEAPSIDE_OPEN_LIMIT: '0' })
})
afterAll(() => attacked?.end())

describe('floods of header fields and parameters, at every route', () => {
  const many = (count: number, line: (n: number) => string) =>
    Array.from({ length: count }, (_, n) => line(n)).join('')
  test.each([
    ['a long field', (head: string) => `${head}X-Long: ${'x'.repeat(100_000)}\r\n\r\n`, [431]],
    ['many fields', (head: string) => `${head}${many(3000, (n) => `X-${n}: 1\r\n`)}\r\n`, [431]],
    ['many cookies', (head: string) => `${head}Cookie: ${many(1500, (n) => `c${n}=1; `)}\r\n\r\n`, undefined],
    ['too many cookies', (head: string) => `${head}${many(2000, (n) => `Cookie: c${n}=1\r\n`)}\r\n`, [431]],
  ])('%s', async (_, bytes, statuses) => {
    const clients = attacked.targets.map(({ method, path }) =>
      new RawClient(attacked.service.url).send(
        bytes(`${method} ${path} HTTP/1.1\r\nHost: a\r\nX-API-KEY: ${attacked.hostileKey}\r\n`),
      ),
    )
    for (const status of await firstAnswers(clients)) {
      if (statuses !== undefined) expect(statuses).toContain(status)
      expect(status).toBeLessThan(500)
    }
    await attacked.othersAreServed()
  })

  test.each([
    ['a long path', (path: string) => `${path}${'/x'.repeat(6000)}`],
    ['many parameters', (path: string) => `${path}?${'a=1&'.repeat(3500)}`],
    [
      'parameters of many names',
      (path: string) => `${path}?${Array.from({ length: 1500 }, (_, n) => `p${n}=1`).join('&')}`,
    ],
    ['escapes', (path: string) => `${path}?a=${'%00'.repeat(4000)}`],
    ['broken escapes', (path: string) => `${path}?a=${'%'.repeat(12_000)}`],
  ])('%s', async (_, pathOf) => {
    const clients = attacked.targets.map(({ method, path }) =>
      new RawClient(attacked.service.url).send(
        requestText(method, pathOf(path), { 'X-API-KEY': attacked.hostileKey }),
      ),
    )
    for (const status of await firstAnswers(clients)) expect(status).toBeLessThan(500)
    await attacked.othersAreServed()
  })
})

describe('messages at the edge of HTTP and beyond', () => {
  const post = (fields: string, body: string) =>
    `POST /pricing HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n${fields}\r\n${body}`
  const next = requestText('GET', '/healthz', { Connection: 'close' })
  // Each message is followed by a valid request. The server answers it or closes the connection, and never reads a body as
  // a request.
  test.each<[string, string, number[]]>([
    ['HTTP/1.0', 'GET /healthz HTTP/1.0\r\n\r\n', [200]],
    ['HTTP/1.0, kept alive', 'GET /healthz HTTP/1.0\r\nConnection: keep-alive\r\n\r\n', [200, 200]],
    ['HTTP/1.0 that expects to continue', 'GET /healthz HTTP/1.0\r\nExpect: 100-continue\r\n\r\n', [200]],
    ['HTTP/9.9', 'GET /healthz HTTP/9.9\r\nHost: a\r\n\r\n', [400]],
    ['no host', 'GET /healthz HTTP/1.1\r\n\r\n', [400, 200]],
    ['an upgrade', requestText('GET', '/healthz', { Connection: 'Upgrade', Upgrade: 'websocket' }), [200]],
    [
      'an upgrade to HTTP/2',
      requestText('GET', '/healthz', { Connection: 'Upgrade', Upgrade: 'h2c' }),
      [200],
    ],
    ['HTTP/2 itself', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', [400]],
    ['a tunnel', 'CONNECT example.com:443 HTTP/1.1\r\nHost: a\r\n\r\n', [405]],
    ['TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', [400]],
    ['an unknown method', 'BREW /healthz HTTP/1.1\r\nHost: a\r\n\r\n', [400]],
    ['an unknown expectation', requestText('GET', '/healthz', { Expect: 'the-moon' }), [200, 200]],
    ['expects to continue, refused', post('Expect: 100-continue\r\nContent-Length: 2\r\n', ''), [401]],
    [
      'chunks with extensions',
      post('Transfer-Encoding: chunked\r\n', '2;a=b;c="d"\r\n{}\r\n0\r\n\r\n'),
      [401, 200],
    ],
    [
      'an extension without end',
      post('Transfer-Encoding: chunked\r\n', `2;${'a'.repeat(30_000)}\r\n{}\r\n0\r\n\r\n`),
      [401],
    ],
    ['trailers', post('Transfer-Encoding: chunked\r\n', '0\r\nX-API-KEY: a\r\n\r\n'), [401, 200]],
    ['two lengths', post('Content-Length: 2\r\nContent-Length: 3\r\n', '{}'), [400]],
    ['a length and chunks', post('Content-Length: 2\r\nTransfer-Encoding: chunked\r\n', '0\r\n\r\n'), [400]],
    ['chunks not last', post('Transfer-Encoding: chunked, identity\r\n', '0\r\n\r\n'), [400]],
    [
      'chunks twice',
      post('Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n', '0\r\n\r\n'),
      [400],
    ],
    ['chunks, misspelt', post('Transfer-Encoding: xchunked\r\n', '0\r\n\r\n'), [401]],
    ['a negative length', post('Content-Length: -1\r\n', ''), [400]],
    ['a length beyond numbers', post('Content-Length: 99999999999999999999999\r\n', ''), [400]],
    ['a space before the colon', 'GET /healthz HTTP/1.1\r\nHost : a\r\n\r\n', [400]],
    ['a folded field', 'GET /healthz HTTP/1.1\r\nHost: a\r\nX: b\r\n c\r\n\r\n', [400]],
    ['a NUL in a field', 'GET /healthz HTTP/1.1\r\nHost: a\r\nX: \0\r\n\r\n', [400]],
    ['lines that end with only LF', 'GET /healthz HTTP/1.1\nHost: a\n\n', [400]],
    ['a whole address', 'GET http://example.com/healthz HTTP/1.1\r\nHost: a\r\n\r\n', []],
  ])('%s', async (_, bytes, expected) => {
    const client = new RawClient(attacked.service.url).send(bytes + next)
    await client.closed
    if (expected.length > 0) expect(client.statuses).toEqual(expected)
    expect(client.statuses.every((status) => status < 500)).toBe(true)
    await attacked.othersAreServed()
  })

  test('a body after 100 Continue', async () => {
    const body = JSON.stringify({ organisation: 'acme', name: 'k', scopes: ['admin'] })
    const headers = {
      'X-API-KEY': attacked.hostileKey,
      'Content-Type': 'application/json',
      'Content-Length': `${body.length}`,
      Expect: '100-continue',
    }
    const client = new RawClient(attacked.service.url).send(requestText('POST', '/admin/keys', headers))
    expect(await client.answers(1)).toEqual([100])
    client.send(body)
    expect(await client.answers(2)).toEqual([100, 201])
    client.destroy()
  })

  test('sockets that are half closed', async () => {
    const clients = attacked.targets.map(({ method, path }) => {
      const client = new RawClient(attacked.service.url).send(requestText(method, path))
      client.socket.end()
      return client
    })
    await Promise.all(clients.map(({ closed }) => closed))
    await attacked.othersAreServed()
  })
})
