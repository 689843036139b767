import { request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { problemTable } from '../src/domain/problem.ts'
import { ask, type RequestOptions, type RunningService, startService } from './service.ts'

let service: RunningService
beforeAll(async () => {
  service = await startService({
    env: {
      CHEAPSIDE_REQUEST_SECONDS: '8',
      CHEAPSIDE_ADDRESS_LIMIT: '0',
      CHEAPSIDE_CORS_ORIGINS: 'https://console.example',
    },
  })
})
afterAll(() => service?.stop())

describe('every answer of the problem table', () => {
  function check(name: string, path: string, options: RequestOptions, code: keyof typeof problemTable) {
    test(name, async () => {
      const answer = await service.request(path, options)
      expect(answer.headers.get('content-type')).toBe('application/problem+json')
      expect(answer.json).toMatchObject({
        type: `urn:cheapside:problem:${code}`,
        title: problemTable[code][1],
        status: problemTable[code][0],
        code,
        instance: path.split('?')[0],
        request_id: answer.headers.get('x-request-id'),
      })
      expect(answer.status).toBe(problemTable[code][0])
      expect(answer.json.detail).not.toBe('')
    })
  }
  const keyBody = { organisation: 'default', name: 'x', scopes: ['pricing:read'] }
  check('no key', '/admin/keys', { key: null }, 'unauthenticated')
  check('a key of the wrong form', '/admin/keys', { key: 'secret' }, 'unauthenticated')
  check(
    'an unknown key',
    '/admin/keys',
    { key: `csk_${'a'.repeat(12)}_${'b'.repeat(40)}` },
    'unauthenticated',
  )
  check('a very long key', '/admin/keys', { key: 'c'.repeat(8000) }, 'unauthenticated')
  check('an unknown path', '/nowhere', {}, 'not-found')
  check('an unknown path without a key', '/nowhere', { key: null }, 'not-found')
  check('a wrong method', '/admin/keys', { method: 'DELETE' }, 'method-not-allowed')
  check(
    'a wrong method of a path with an id',
    '/admin/keys/abc/revoke',
    { method: 'PUT' },
    'method-not-allowed',
  )
  check('a wrong method of a page', '/console/keys', { method: 'DELETE' }, 'method-not-allowed')
  check('a file that is not there', '/console/assets/none.js', {}, 'not-found')
  check(
    'a media type that the route does not produce',
    '/admin/keys',
    { headers: { accept: 'text/csv' } },
    'not-acceptable',
  )
  check(
    'JSON refused by weight',
    '/admin/keys',
    { headers: { accept: 'application/json;q=0' } },
    'not-acceptable',
  )
  check(
    'another media type',
    '/admin/keys',
    { body: 'a=b', headers: { 'content-type': 'text/plain' } },
    'unsupported-media-type',
  )
  check(
    'a body without a type',
    '/admin/keys',
    { body: '{}', headers: { 'content-type': '' } },
    'unsupported-media-type',
  )
  check(
    'not JSON',
    '/admin/keys',
    { body: '{"a":', headers: { 'content-type': 'application/json' } },
    'not-json',
  )
  check(
    'an empty body',
    '/admin/keys',
    { body: '', headers: { 'content-type': 'application/json' } },
    'not-json',
  )
  check(
    'a poisoned body',
    '/admin/keys',
    { body: '{"__proto__":{"a":1}}', headers: { 'content-type': 'application/json' } },
    'not-json',
  )
  const json = { 'content-type': 'application/json' }
  const compressed = { ...json, 'content-encoding': 'gzip' }
  check(
    'a compressed body',
    '/admin/keys',
    { body: gzipSync('{}'), headers: compressed },
    'unsupported-media-type',
  )
  check(
    'a body said to be compressed',
    '/admin/keys',
    { body: JSON.stringify(keyBody), headers: compressed },
    'unsupported-media-type',
  )
  for (const [name, body] of Object.entries({
    'no body': undefined,
    'an empty body': '',
    'a broken body': '{',
  })) {
    check(
      `a wrong method with ${name}`,
      '/providers',
      { method: 'DELETE', headers: json, body },
      'method-not-allowed',
    )
    check(
      `another with ${name}`,
      '/recommendations',
      { method: 'PATCH', headers: json, body },
      'method-not-allowed',
    )
    check(`an unknown path with ${name}`, '/nowhere', { method: 'POST', headers: json, body }, 'not-found')
  }
  check(
    'a body too large where nothing takes it',
    '/nowhere',
    { method: 'POST', headers: json, body: 'x'.repeat(2 * 1024 * 1024) },
    'not-found',
  )
  check('no body where one is needed', '/admin/keys', { method: 'POST' }, 'invalid')
  check('an impossible organisation', '/admin/organisations/..%2Fx/sizing_profile', {}, 'invalid')
  check('a missing field', '/admin/keys', { body: { ...keyBody, name: undefined } }, 'invalid')
  check('a body of another kind', '/admin/keys', { body: [] }, 'invalid')
  check('a malformed escape in the path', '/admin/keys/%zz/revoke', { method: 'POST' }, 'bad-request')
  check('an unknown key id', '/admin/keys/abc/revoke', { method: 'POST' }, 'not-found')
  check(
    'more than a mebibyte',
    '/admin/keys',
    { body: { ...keyBody, name: 'x'.repeat(1024 * 1024) } },
    'body-too-large',
  )

  test.each([
    ['{"a":', 'The body is not valid JSON: Unexpected end of JSON input.'],
    ['{"a":1,}', 'position 7 (line 1 column 8).'],
    ['{"a":{"__proto__":1}}', 'The body contains a member named __proto__, which is not allowed.'],
    ['{"constructor":{"prototype":{}}}', 'a member named constructor with a member named prototype, which'],
  ])('the fault of %s is reported', async (body, fault) => {
    const { status, json: problem } = await service.request('/admin/keys', { body, headers: json })
    expect([status, problem.detail]).toEqual([400, expect.stringContaining(fault)])
  })

  test('each invalid field is reported', async () => {
    const body = { organisation: 4, scopes: ['pricing:read', 7], expires_at: null }
    const { json } = await service.request('/admin/keys', { body })
    expect(json.errors.map((error: { pointer: string }) => error.pointer).sort()).toEqual([
      '/expires_at',
      '/name',
      '/organisation',
      '/scopes/1',
    ])
  })

  test('405 lists the supported methods', async () => {
    const answer = await service.request('/admin/keys', { method: 'PATCH' })
    expect(answer.headers.get('allow')).toBe('GET, HEAD, POST')
  })
})

describe('a Content-Type without a body', () => {
  const register = () =>
    service.request('/marketplace/providers', {
      body: {
        name: 'ex',
        entries: [{ cost_per_hour: 1, cpu_cores: 1, ram_gb: 1, instance_type: 'a', region: 'r' }],
      },
    })
  test.each([
    ['application/json', undefined],
    ['application/json; charset=utf-8', ''],
    // What `curl -d ''` sends
    ['application/x-www-form-urlencoded', ''],
  ])('%s, %j', async (type, body) => {
    const headers = { 'content-type': type }
    await register()
    const removed = await service.request('/marketplace/providers/ex', { method: 'DELETE', headers, body })
    expect(removed.status).toBe(200)
    expect((await service.request('/marketplace/providers')).json.count).toBe(0)
    const { json: key } = await service.request('/admin/keys', {
      body: { organisation: 'acme', name: 'k', scopes: ['admin'] },
    })
    const revoked = await service.request(`/admin/keys/${key.id}/revoke`, { method: 'POST', headers, body })
    expect([revoked.status, revoked.json.state]).toEqual([200, 'revoked'])
  })
})

test('missing, malformed, unknown, revoked and expired keys get the same answer', async () => {
  const issue = async (more: object) =>
    (
      await service.request('/admin/keys', {
        body: { organisation: 'acme', name: 'k', scopes: ['admin'], ...more },
      })
    ).json
  const revoked = await issue({})
  await service.request(`/admin/keys/${revoked.id}/revoke`, { method: 'POST' })
  const expiring = await issue({})
  await service.request(`/admin/keys/${expiring.id}/rotate`, { body: { overlap_seconds: 0 } })
  const wrongSecret = `${service.key.slice(0, -1)}${service.key.endsWith('a') ? 'b' : 'a'}`
  const answers = await Promise.all(
    [null, 'x', `csk_${'a'.repeat(12)}_${'b'.repeat(40)}`, revoked.key, expiring.key, wrongSecret].map(
      (key) => service.request('/admin/keys', { key }),
    ),
  )
  const bodies = answers.map(({ json: { request_id, ...rest }, status, headers }) => ({
    rest,
    status,
    names: [...headers.keys()].sort(),
  }))
  for (const body of bodies) expect(body).toEqual(bodies[0])
  expect(bodies[0]!.status).toBe(401)
})

test('a key may come as a bearer token, and needs the scope', async () => {
  const { json } = await service.request('/admin/keys', {
    body: { organisation: 'acme', name: 'k', scopes: ['gateway:read'] },
  })
  const answer = await ask(service.url, '/admin/keys', { headers: { authorization: `Bearer ${json.key}` } })
  expect([answer.status, answer.json.code]).toEqual([403, 'forbidden'])
})

test('lists keys of one organisation, or of all if none is given', async () => {
  const listed = async (query: string) =>
    (await service.request(`/admin/keys${query}`)).json.keys as { id: string; organisation: string }[]
  await service.request('/admin/keys', { body: { organisation: 'globex', name: 'k', scopes: ['admin'] } })
  const ids = (keys: { id: string }[]) => keys.map(({ id }) => id)
  expect(ids(await listed('?organisation='))).toEqual(ids(await listed('')))
  expect((await listed('?organisation=globex')).map((key) => key.organisation)).toEqual(['globex'])
  expect(await listed('?organisation=nobody')).toEqual([])
})

test('every response of the service has a request id, the security headers and no CORS header', async () => {
  const given = await service.request('/admin/keys', { headers: { 'x-request-id': 'trace-1.a' } })
  expect(given.headers.get('x-request-id')).toBe('trace-1.a')
  const hostile = await service.request('/nowhere', { headers: { 'x-request-id': 'a b"c' } })
  expect(hostile.headers.get('x-request-id')).toMatch(/^[0-9a-f]{16}-[0-9a-z]+$/)
  for (const { headers } of [given, hostile]) {
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('access-control-allow-origin')).toBeNull()
  }
})

test('CORS allows only the configured origins', async () => {
  const preflight = (origin: string) =>
    ask(service.url, '/admin/keys', {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'GET' },
    })
  const allowed = await preflight('https://console.example')
  expect([allowed.status, allowed.headers.get('access-control-allow-origin')]).toEqual([
    204,
    'https://console.example',
  ])
  const refused = await preflight('https://elsewhere.example')
  expect(refused.headers.get('access-control-allow-origin')).toBeNull()
})

test('operational endpoints need no key and name no organisation', async () => {
  expect((await ask(service.url, '/healthz')).json).toEqual({ status: 'ok' })
  expect((await ask(service.url, '/readyz')).json).toEqual({ status: 'ready' })
  const { text, status } = await ask(service.url, '/metrics')
  expect(status).toBe(200)
  expect(text).toContain('cheapside_http_request_duration_seconds_count')
  expect(text).not.toMatch(/acme|default"/)
})

test('the API document lists every route, and the page loads nothing from elsewhere', async () => {
  const { json } = await ask(service.url, '/openapi.json')
  expect(json.openapi).toBe('3.1.0')
  expect(json.paths['/admin/keys/{id}/rotate'].post.parameters[0]).toMatchObject({
    name: 'id',
    in: 'path',
    required: true,
  })
  const page = await ask(service.url, '/docs')
  expect(page.headers.get('content-type')).toContain('text/html')
  expect(page.text).toContain('/admin/keys/{id}/revoke')
  expect(page.text).not.toMatch(/<script|https?:\/\//)
})

describe('clients that misbehave', () => {
  /** Sends raw bytes. Resolves to everything that was received until the server closed the connection. */
  function send(...pieces: string[]): Promise<string> {
    return new Promise((resolve) => {
      const socket = connect(Number(new URL(service.url).port), '127.0.0.1', () => {
        for (const piece of pieces) socket.write(piece)
      })
      let received = ''
      socket.on('data', (chunk) => {
        received += chunk
      })
      socket.on('close', () => resolve(received))
      socket.on('error', () => {})
    })
  }

  test('100,000 bytes of header', async () => {
    const answer = await send(`GET /healthz HTTP/1.1\r\nHost: a\r\nX-Long: ${'x'.repeat(100_000)}\r\n\r\n`)
    expect(answer).toContain('HTTP/1.1 431')
    expect(answer).toContain('"code":"headers-too-large"')
  })

  test('not HTTP at all', async () => {
    expect(await send('\x16\x03\x01 hello\r\n\r\n')).toContain('HTTP/1.1 400')
  })

  test('headers that never end', async () => {
    expect(await send('GET /healthz HTTP/1.1\r\nHost: a\r\n')).toContain('HTTP/1.1 408')
  })

  test('a body that never ends', async () => {
    const head = `POST /admin/keys HTTP/1.1\r\nHost: a\r\nX-API-KEY: ${service.key}\r\nContent-Type: application/json\r\n`
    expect(await send(`${head}Content-Length: 1000\r\n\r\n`, '{"organisation":')).toContain('HTTP/1.1 408')
    expect((await service.request('/admin/keys')).status).toBe(200)
  })

  test('an endless chunked body is refused at the limit', async () => {
    const end = await new Promise<number | 'cut off' | undefined>((resolve) => {
      const request = httpRequest(`${service.url}/admin/keys`, {
        method: 'POST',
        headers: { 'x-api-key': service.key, 'content-type': 'application/json' },
      })
      request.on('response', (response) => resolve(response.statusCode))
      // A client that never reads may find the connection closed before it sees the answer.
      request.on('error', () => resolve('cut off'))
      const chunk = Buffer.alloc(64 * 1024, 'x')
      const pump = () => {
        while (!request.destroyed && request.write(chunk));
      }
      request.on('drain', pump)
      pump()
    })
    expect([413, 'cut off']).toContain(end)
    expect((await service.request('/admin/keys')).status).toBe(200)
  })
})
