import { connect } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { TokenBuckets } from './requests/rate-limit.ts'
import { startTestService, type TestService } from './service.case.ts'
import { smallServer } from './small-server.case.ts'

let service: TestService | undefined
afterEach(async () => {
  await service?.stop()
  service = undefined
})

/** Buckets are refilled so slowly that a busy machine does not change the result. */
const buckets = (burst: number) => new TokenBuckets(0.001, burst)

test('requests are limited by key, by address without a valid key, and on routes that need no key', async () => {
  const { server, readiness } = smallServer(
    (routes) => {
      routes.get('/own', { config: { scope: 'any' } }, (_, reply) => reply.send('own'))
      routes.get('/open/:id', { config: { scope: 'none' } }, (_, reply) => reply.send('open'))
    },
    { keyBuckets: buckets(3), addressBuckets: buckets(2), openBuckets: buckets(2) },
  )
  const ask = (url: string, headers = {}) => server.inject({ url, headers: { host: 'a', ...headers } })
  const own = () => ask('/own', { 'x-api-key': 'known' })
  const starting = await own()
  expect([starting.json().code, starting.headers['retry-after']]).toEqual(['starting', '1'])
  readiness.started()
  const answers = [await own(), await own(), await own()]
  expect(answers.map(({ body }) => body)).toEqual(['own', 'own', 'own'])
  expect(answers.map(({ headers }) => headers['ratelimit-remaining'])).toEqual(['2', '1', '0'])
  expect(answers.map(({ headers }) => headers['ratelimit-limit'])).toEqual(['3', '3', '3'])
  expect(answers.map(({ headers }) => headers['ratelimit-reset'])).toEqual(['1000', '2000', '3000'])
  const refused = await own()
  expect([refused.json().code, refused.headers['ratelimit-remaining']]).toEqual(['rate-limited', '0'])
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(900)
  expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(1000)

  const without = async () => (await ask('/own')).statusCode
  expect([await without(), await without(), await without()]).toEqual([401, 401, 429])
  const open = async (path: string) => (await ask(path)).statusCode
  expect([await open('/open/a'), await open('/nowhere'), await open('/open/a')]).toEqual([200, 404, 429])
  expect([await open('/nowhere'), await open('/open/%zz')]).toEqual([429, 429])
})

test('connections from one address are limited', async () => {
  service = await startTestService({ CHEAPSIDE_ADDRESS_CONNECTIONS: '2' })
  const held = [0, 1].map(() => connect(Number(new URL(service!.url).port), '127.0.0.1'))
  const refused = await service.raw()
  expect(refused).toContain('"code":"too-many-connections"')
  expect(refused).toMatch(/Retry-After: 1\r\n/)
  for (const socket of held) socket.destroy()
})

test('a node that stops finishes requests in progress and refuses new ones', async () => {
  service = await startTestService()
  const begun = service
  const head = `POST /pricing HTTP/1.1\r\nHost: a\r\nX-API-KEY: ${begun.key}\r\nContent-Type: application/json\r\n`
  const socket = connect(Number(new URL(begun.url).port), '127.0.0.1')
  let received = ''
  socket.on('data', (chunk) => {
    received += chunk
  })
  const closed = new Promise((resolve) => socket.on('close', resolve))
  socket.write(`${head}Content-Length: 2\r\n\r\n{`)
  await begun.metricIs('cheapside_http_body_bytes', 2)
  service = undefined
  const stopped = begun.stop()
  const ready = await begun.ask('/readyz')
  expect([ready.status, ready.json.troubles.service]).toEqual([503, 'draining'])
  expect([ready.headers.get('retry-after'), ready.headers.get('connection')]).toEqual(['1', 'close'])
  const refused = await begun.ask('/key')
  expect([refused.status, refused.json.code]).toEqual([503, 'draining'])
  socket.write('}')
  expect(await stopped).toBe(true)
  await closed
  expect(received).toMatch(/^HTTP\/1\.1 422/)
})
