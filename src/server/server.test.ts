import { request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestService, type TestService } from './service.case.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService({ CHEAPSIDE_CORS_ORIGINS: 'https://console.example' })
})
afterAll(() => service?.stop())

const json = { 'content-type': 'application/json' }
const get = (more = '', path = '/healthz') => `GET ${path} HTTP/1.1\r\nHost: a\r\n${more}\r\n`
const last = 'Connection: close\r\n'

test('a key is accepted in either header and needs the scope of the route', async () => {
  const issued = await service.ask('/admin/keys', {
    body: { organisation: 'acme', name: 'k', scopes: ['gateway:read'], expires_at: '2999-01-01T00:00:00Z' },
  })
  expect([issued.status, issued.json.expires_at]).toEqual([201, '2999-01-01T00:00:00.000Z'])
  for (const headers of [
    { 'x-api-key': issued.json.key },
    { authorization: `bearer  ${issued.json.key} ` },
  ]) {
    const own = await service.ask('/key', { key: null, headers })
    expect(own.json).toMatchObject({ organisation: 'acme', scopes: ['gateway:read'] })
    expect((await service.ask('/v1/sizing_profile', { key: null, headers })).status).toBe(200)
    const refused = await service.ask('/providers', { key: null, headers })
    expect(refused.json).toMatchObject({
      code: 'forbidden',
      detail: 'This key lacks the scope pricing:read.',
    })
  }
  const basic = await service.ask('/key', {
    key: null,
    headers: { authorization: `basic ${issued.json.key}` },
  })
  expect(basic.status).toBe(401)
  const listed = (query: string) => service.ask(`/admin/keys${query}`).then((one) => one.json.keys)
  expect(await listed('?organisation=acme')).toHaveLength(1)
  expect((await listed('?organisation=')).length).toBe(2)
  const wrong = { organisation: 'acme', name: 'k', scopes: ['admin'], expires_at: 'soon' }
  const { json: problem } = await service.ask('/admin/keys', { body: wrong })
  expect(problem.errors).toMatchObject([{ pointer: '/expires_at' }])
  const rotated = await service.ask(`/admin/keys/${issued.json.id}/rotate`, { body: {} })
  expect([rotated.status, rotated.json.organisation]).toEqual([201, 'acme'])
  const revoked = await service.ask(`/admin/keys/${rotated.json.id}/revoke`, { method: 'POST' })
  expect([revoked.status, revoked.json.state]).toEqual([200, 'revoked'])
})

test('every response has a request id and the security headers', async () => {
  const given = await service.ask('/key', { headers: { 'x-request-id': 'trace-1.a' } })
  expect(given.headers.get('x-request-id')).toBe('trace-1.a')
  const unfit = await service.ask('/nowhere', { headers: { 'x-request-id': 'a b"c' } })
  const next = await service.ask('/nowhere', { headers: { 'x-request-id': 'x'.repeat(65) } })
  const [one, two] = [unfit, next].map(({ headers }) => headers.get('x-request-id')!)
  expect(one).toMatch(/^[0-9a-f]{16}-[0-9a-z]+$/)
  expect(two).not.toBe(one)
  for (const { headers } of [given, unfit])
    expect(Object.fromEntries(headers)).toMatchObject({
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'referrer-policy': 'no-referrer',
      'cross-origin-resource-policy': 'same-origin',
      'cache-control': 'no-store',
    })
})

test('CORS allows only the named origins', async () => {
  const from = (origin: string, method: string, more = {}) =>
    service.ask('/key', { method, headers: { origin, ...more } })
  const preflight = { 'access-control-request-method': 'GET' }
  const allowed = await from('https://console.example', 'OPTIONS', preflight)
  expect([allowed.status, allowed.headers.get('access-control-allow-origin')]).toEqual([
    204,
    'https://console.example',
  ])
  expect(allowed.headers.get('access-control-max-age')).toBe('600')
  const asked = await from('https://console.example', 'GET')
  expect([asked.status, asked.headers.get('access-control-allow-origin')]).toEqual([
    200,
    'https://console.example',
  ])
  expect(asked.headers.get('access-control-expose-headers')).toContain('link')
  expect(asked.headers.get('access-control-expose-headers')).toContain('cheapside-scope')
  expect(allowed.headers.get('access-control-allow-headers')).toContain('mcp-protocol-version')
  const elsewhere = await from('https://elsewhere.example', 'GET')
  expect([elsewhere.headers.get('vary'), elsewhere.headers.get('access-control-allow-origin')]).toEqual([
    'origin',
    null,
  ])
  expect((await from('https://elsewhere.example', 'OPTIONS', preflight)).status).toBe(405)
  expect((await from('https://console.example', 'OPTIONS')).status).toBe(405)
  expect((await service.ask('/key')).headers.get('vary')).toBeNull()
})

test('CORS allows every method that the API has', async () => {
  const { json } = await service.ask('/openapi.json')
  const methods = new Set(Object.values<object>(json.paths).flatMap((path) => Object.keys(path)))
  const { headers } = await service.ask('/key', {
    method: 'OPTIONS',
    headers: { origin: 'https://console.example', 'access-control-request-method': 'PATCH' },
  })
  const allowed = headers.get('access-control-allow-methods')!.toLowerCase().split(', ')
  expect(allowed.sort()).toEqual([...methods].sort())
})

describe('connections', () => {
  test('stay open until the client asks to close them; a request for an upgrade is answered and closes them', async () => {
    const three = await service.raw(get() + get() + get(last))
    expect(three.match(/HTTP\/1\.1 200/g)).toHaveLength(3)
    expect(three.match(/connection: keep-alive/gi)).toHaveLength(2)
    expect(await service.raw(get('Connection: upgrade\r\nUpgrade: websocket\r\n'))).toMatch(
      /200 OK[\s\S]*connection: close/i,
    )
  })

  test('without a Host header, or with two, are refused', async () => {
    for (const hosts of ['', 'Host: a\r\nhost: b\r\n'])
      expect(await service.raw(`GET /healthz HTTP/1.1\r\n${hosts}${last}\r\n`)).toContain(
        'must have one Host header',
      )
    expect(await service.raw('GET /healthz HTTP/1.0\r\n\r\n')).toContain('HTTP/1.1 200')
  })

  test('with a header of more than 16 KiB are refused, one below is read', async () => {
    expect(await service.raw(get(`X-Long: ${'x'.repeat(16 * 1024)}\r\n${last}`))).toContain('HTTP/1.1 431')
    expect(await service.raw(get(`X-Long: ${'x'.repeat(16 * 1024 - 200)}\r\n${last}`))).toContain(
      'HTTP/1.1 200',
    )
    const long = `HEAD /healthz HTTP/1.1\r\nHost: a\r\nX-Long: ${'x'.repeat(16 * 1024)}\r\n${last}\r\n`
    expect(await service.raw(long)).toMatch(/^HTTP\/1\.1 431 [^{]*\r\n\r\n$/)
  })

  test('that do not speak HTTP get a problem', async () => {
    const answer = await service.raw('\x16\x03\x01 hello\r\n\r\n')
    expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/)
    expect(answer).toContain('"code":"bad-request"')
    expect(await service.raw('CONNECT a:443 HTTP/1.1\r\nHost: a\r\n\r\n')).toContain('HTTP/1.1 405')
  })

  test('get 100 Continue only if the body will be read', async () => {
    const body = '{"provider":'
    const head = (key: string, version = '1.1') =>
      `POST /pricing HTTP/${version}\r\nHost: a\r\nX-API-KEY: ${key}\r\nContent-Type: application/json\r\n${last}` +
      `Expect: 100-continue\r\nContent-Length: ${body.length}\r\n\r\n${body}`
    expect(await service.raw(head(service.key))).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 400/)
    expect(await service.raw(head('wrong'))).toMatch(/^HTTP\/1\.1 401/)
    expect(await service.raw(head(service.key, '1.0'))).toMatch(/^HTTP\/1\.1 400/)
  })
})

test('a body arrives complete, however it is divided into chunks', async () => {
  const name = 'x'.repeat(300_000)
  const body = Buffer.from(JSON.stringify({ provider: 'aws', region: 'nowhere', instance_type: name }))
  const headers = { ...json, 'x-api-key': service.key }
  const ask = (more: object, ...pieces: Buffer[]) =>
    new Promise<string>((resolve, reject) => {
      const request = httpRequest(`${service.url}/pricing`, {
        method: 'POST',
        headers: { ...headers, ...more },
      })
      request.on('error', reject)
      request.on('response', async (response) => resolve((await response.toArray()).join('')))
      for (const piece of pieces) request.write(piece)
      request.end()
    })
  const strip = (answer: string) => ({ ...JSON.parse(answer), request_id: '' })
  const whole = strip(await ask({ 'content-length': body.length }, body))
  const pieces = [0, 1, 2, 70_000, 70_001, 200_000].map((from, i, all) => body.subarray(from, all[i + 1]))
  expect(strip(await ask({ 'transfer-encoding': 'chunked' }, ...pieces))).toEqual(whole)
  expect(strip(await ask({ 'content-length': body.length }, ...pieces))).toEqual(whole)
  expect(whole.code).not.toBe('not-json')
})

test('answers are counted by route and status', async () => {
  const count = (route: string, status: number, method = 'GET') =>
    `cheapside_http_request_duration_seconds_count{method="${method}",route="${route}",status="${status}"}`
  for (let n = 0; n < 3; n++) await service.ask('/readyz')
  await service.metricIs(count('/readyz', 200), 3)
  await service.metricIs(count('/readyz', 200).replace('_count{', '_bucket{le="+Inf",'), 3)
  const { text } = await service.ask('/metrics')
  expect(text).toMatch(/_seconds_count\{method="any",route="none",status="404"\} \d/)
  expect(text).toMatch(/_seconds_count\{method="any",route="none",status="405"\} \d/)
  await service.metricIs('cheapside_http_body_bytes', 0)
})

test('a client that disconnects before its answer is counted as such', async () => {
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1')
  const head = `POST /pricing HTTP/1.1\r\nHost: a\r\nX-API-KEY: ${service.key}\r\nContent-Type: application/json\r\n`
  socket.write(`${head}Content-Length: 1000\r\n\r\n{`)
  await service.metricIs('cheapside_http_body_bytes', 1000)
  socket.destroy()
  await service.metricIs(
    'cheapside_http_request_duration_seconds_count{method="POST",route="/pricing",status="499"}',
    1,
  )
  await service.metricIs('cheapside_http_body_bytes', 0)
  expect((await service.ask('/healthz')).status).toBe(200)
})
