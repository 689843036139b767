import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestService, type TestService } from './service.case.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService({ CHEAPSIDE_TRUSTED_PROXIES: '127.0.0.1' })
})
afterAll(() => service?.stop())

const own = { 'x-cheapside-session': '1' }

async function signIn(key = service.key, headers = {}): Promise<{ cookie: string; set: string }> {
  const { status, headers: answered } = await service.ask('/v1/session', { method: 'POST', key, headers })
  expect(status).toBe(201)
  const set = answered.get('set-cookie')!
  return { set, cookie: set.split(';')[0]! }
}

const withCookie = (cookie: string, path: string, method = 'GET', headers: Record<string, string> = {}) =>
  service.ask(path, { key: null, method, headers: { cookie, ...headers } })

async function issue(more: object = {}): Promise<{ id: string; key: string }> {
  const body = { organisation: 'acme', name: 'test', scopes: ['pricing:read'], ...more }
  return (await service.ask('/admin/keys', { body })).json
}

test('a key is exchanged for a cookie that scripts and other sites cannot use', async () => {
  const { set, cookie } = await signIn()
  expect(set).toMatch(
    /^cheapside-session=[\w-]{43}; Path=\/; Max-Age=43(199|200); HttpOnly; SameSite=Strict$/,
  )
  const { status, json } = await withCookie(cookie, '/key')
  expect([status, json.organisation, json.name]).toEqual([200, 'default', 'first key'])
  expect((await withCookie(`a=b; ${cookie}; c=d`, '/key')).status).toBe(200)
})

test('credentials for a proxy do not take the place of the cookie', async () => {
  const { cookie } = await signIn()
  for (const authorization of ['Basic dXNlcjpwYXNz', 'Bearer eyJhbGciOiJIUzI1NiJ9.e30.c2ln']) {
    expect((await withCookie(cookie, '/key', 'GET', { authorization })).status).toBe(200)
    expect((await service.ask('/key', { key: null, headers: { authorization } })).status).toBe(401)
  }
  const authorization = `Bearer csk_${'0'.repeat(12)}_${'0'.repeat(40)}`
  expect((await withCookie(cookie, '/key', 'GET', { authorization })).status).toBe(401)
})

test('over HTTPS, also behind a trusted proxy, the cookie is Secure and restricted to this host', async () => {
  const https = { 'x-forwarded-proto': 'https' }
  const { set, cookie } = await signIn(service.key, https)
  expect(set).toMatch(/^__Host-cheapside-session=[\w-]{43}; .*; Secure$/)
  expect((await withCookie(cookie, '/key', 'GET', https)).status).toBe(200)
  expect((await withCookie(cookie.replace('__Host-', ''), '/key', 'GET', https)).status).toBe(401)
})

describe('a request that changes something must come from a page of the console', () => {
  const host = () => new URL(service.url).host
  test.each<[string, () => Record<string, string>, number]>([
    ['neither header nor origin', () => ({}), 403],
    ['only its header, as a program sends it', () => own, 422],
    ['its header and its origin', () => ({ ...own, origin: `http://${host()}` }), 422],
    [
      'its header, and the browser reports the same origin',
      () => ({ ...own, 'sec-fetch-site': 'same-origin' }),
      422,
    ],
    ['the origin without the header', () => ({ origin: `http://${host()}` }), 403],
    ['another origin', () => ({ ...own, origin: 'http://evil.example' }), 403],
    ['another port', () => ({ ...own, origin: 'http://127.0.0.1:1' }), 403],
    ['the origin null', () => ({ ...own, origin: 'null' }), 403],
    ['another site', () => ({ ...own, 'sec-fetch-site': 'cross-site' }), 403],
    ['another host of the same site', () => ({ ...own, 'sec-fetch-site': 'same-site' }), 403],
  ])('%s', async (_, headers, status) => {
    const { cookie } = await signIn()
    const json = { 'content-type': 'application/json' }
    const answer = await service.ask('/admin/keys', {
      key: null,
      body: '{"organisation":"acme","name":"x","scopes":["none"]}',
      headers: { cookie, ...json, ...headers() },
    })
    expect(answer.status).toBe(status)
    if (status === 403) expect(answer.json.code).toBe('forged-request')
  })

  test('a key in the header needs neither, even together with a cookie', async () => {
    const { cookie } = await signIn()
    const { key } = await issue()
    const { json } = await service.ask('/key', { key, headers: { cookie } })
    expect(json.organisation).toBe('acme')
  })
})

test('signing out ends the session on the server', async () => {
  const { cookie } = await signIn()
  expect((await withCookie(cookie, '/v1/session', 'DELETE')).status).toBe(403)
  const left = await withCookie(cookie, '/v1/session', 'DELETE', own)
  expect(left.status).toBe(204)
  expect(left.headers.get('set-cookie')).toMatch(/^cheapside-session=; Path=\/; Max-Age=0;/)
  expect((await withCookie(cookie, '/key')).status).toBe(401)
})

test('a session ends with its key, and cannot be exchanged for another session', async () => {
  const { id, key } = await issue()
  const { cookie } = await signIn(key)
  expect((await withCookie(cookie, '/v1/session', 'POST', own)).status).toBe(401)
  await service.ask(`/admin/keys/${id}/revoke`, { method: 'POST' })
  expect((await withCookie(cookie, '/key')).status).toBe(401)
})

test('signing in reports an expired key if the secret is right; a wrong or revoked key is only refused', async () => {
  const { id, key } = await issue({ expires_at: new Date(Date.now() + 1_500).toISOString() })
  const { set } = await signIn(key)
  expect(Number(/Max-Age=(\d+)/.exec(set)![1])).toBeLessThanOrEqual(1)
  const refusal = async (presented: string) =>
    (await service.ask('/v1/session', { method: 'POST', key: presented })).json.code
  while ((await service.ask('/key', { key })).status !== 401)
    await new Promise((resolve) => setTimeout(resolve, 50))
  expect(await refusal(key)).toBe('key-expired')
  expect((await service.ask('/key', { key })).json.code).toBe('unauthenticated')
  expect(await refusal(`${key.slice(0, -1)}${key.endsWith('a') ? 'b' : 'a'}`)).toBe('unauthenticated')
  await service.ask(`/admin/keys/${id}/revoke`, { method: 'POST' })
  expect(await refusal(key)).toBe('unauthenticated')
})

test('a long cookie is not a session', async () => {
  expect((await withCookie(`cheapside-session=${'a'.repeat(7_000)}`, '/key')).status).toBe(401)
})

test.each([
  'cheapside-session=',
  'cheapside-session=wrong',
  `cheapside-session=${'a'.repeat(43)}`,
  'cheapside-session',
  ';;;=;',
  '__proto__=1; cheapside-session=%00',
])('an invalid cookie is not a key: %s', async (cookie) => {
  expect((await withCookie(cookie, '/key')).status).toBe(401)
})
