import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { StoreUnavailable } from '../store/port.ts'
import type { Routes, Server } from './server.ts'
import { smallServer, testKey } from './small-server.case.ts'

const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

const routes: Routes = (server) => {
  server.get('/own', { config: { scope: 'any' } }, (_, reply) => reply.send('own'))
  server.post('/large', { config: { scope: 'any' }, bodyLimit: 16 * 1024 * 1024 }, (_, reply) =>
    reply.send('read'),
  )
  server.get('/away', { config: { scope: 'none' } }, () => {
    throw new StoreUnavailable('gone')
  })
  server.get('/broken', { config: { scope: 'none' } }, () => {
    throw new TypeError('a secret of the operator')
  })
  server.get('/teapot', { config: { scope: 'none' } }, () => {
    throw Object.assign(new Error('I am a teapot.'), { statusCode: 418 })
  })
  server.get('/lost', { config: { scope: 'none' } }, () => {
    throw Object.assign(new Error('a secret too'), { statusCode: 502 })
  })
}

async function listening(server: Server): Promise<AddressInfo> {
  await server.listen({ port: 0, host: '127.0.0.1' })
  return server.server.address() as AddressInfo
}

const known = { host: 'a', 'x-api-key': 'known' }

test('a key that another node has just issued is accepted after a poll, with its body', async () => {
  let polls = 0
  const issued = smallServer(routes, {
    authenticate: () => (polls > 0 ? testKey : undefined),
    loadChanges: async () => void polls++,
  })
  issued.readiness.started()
  const sent = { method: 'POST' as const, url: '/large', headers: known, payload: { a: 1 } }
  expect((await issued.server.inject(sent)).body).toBe('read')
  expect((await issued.server.inject(sent)).body).toBe('read')
  expect(polls, 'a known key needs no poll').toBe(1)
  const never = smallServer(routes, { authenticate: () => undefined, loadChanges: async () => undefined })
  never.readiness.started()
  expect((await never.server.inject(sent)).json().code).toBe('unauthenticated')
})

describe('the caller gets a problem, and the operator the details', () => {
  test.each([
    ['/away', 503, 'store-unavailable', '1', 1],
    ['/broken', 500, 'internal', undefined, 1],
    ['/lost', 500, 'internal', undefined, 1],
    ['/teapot', 400, 'bad-request', undefined, 0],
  ])('%s', async (url, status, code, retryAfter, logged) => {
    const { server, lines } = smallServer(routes, { level: 'info' })
    const answer = await server.inject({ url, headers: { host: 'a' } })
    expect([answer.statusCode, answer.json().code, answer.headers['retry-after']]).toEqual([
      status,
      code,
      retryAfter,
    ])
    expect(answer.body).not.toContain('secret')
    expect(lines).toHaveLength(logged)
    if (logged > 0)
      expect(lines[0]).toMatchObject({ msg: 'request failed', code, reqId: answer.json().request_id })
  })
})

test('requests are logged only at the levels debug and trace', async () => {
  for (const [level, logged] of [
    ['debug', 1],
    ['info', 0],
  ] as const) {
    const { server, lines, readiness } = smallServer(routes, { level })
    readiness.started()
    const { port } = await listening(server)
    const { headers } = await fetch(`http://127.0.0.1:${port}/own`, { headers: { 'x-api-key': 'known' } })
    while (lines.length < logged) await new Promise(setImmediate)
    await server.close()
    expect(lines).toHaveLength(logged)
    if (logged > 0)
      expect(lines[0]).toMatchObject({
        msg: 'answered',
        method: 'GET',
        route: '/own',
        status: 200,
        reqId: headers.get('x-request-id'),
      })
  }
})

test('keys that the database has not confirmed for too long are not accepted', async () => {
  const { server, readiness } = smallServer(routes, { keysAreFresh: () => false })
  readiness.started()
  const { headers, json } = await server.inject({ url: '/own', headers: known })
  expect([json().code, headers['retry-after']]).toEqual(['store-unavailable', '1'])
})

test('an organisation may send three of the largest bodies at a time', async () => {
  const { server, readiness } = smallServer(routes)
  readiness.started()
  ends.push(() => server.close())
  const { port } = await listening(server)
  const begin = (headers: Record<string, string | number>) => {
    const request = httpRequest({
      host: '127.0.0.1',
      port,
      path: '/large',
      method: 'POST',
      headers: { ...known, expect: '100-continue', ...headers },
    })
    request.on('error', () => {})
    ends.push(() => request.destroy())
    request.flushHeaders()
    return Promise.race([
      once(request, 'continue').then(() => 100),
      once(request, 'response').then(([{ statusCode }]) => statusCode),
    ])
  }
  const largest = { 'content-length': 16 * 1024 * 1024 }
  // A body of unknown length counts as the largest.
  expect(await begin({ 'transfer-encoding': 'chunked' })).toBe(100)
  expect([await begin(largest), await begin(largest)]).toEqual([100, 100])
  expect([await begin(largest), await begin({ 'content-length': 1 })]).toEqual([503, 503])
})
