import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import { describe, expect, test } from 'vitest'
import { RawClient, requestText } from './hostile/raw-client.ts'
import { ownServices } from './own-services.case.ts'
import { ask, eventually, runCommand, runProcess } from './service.ts'

const { start, newDirectory } = ownServices()

test('the first start shows a key once; acknowledged writes survive kill -9', async () => {
  const directory = newDirectory()
  const first = await start({ directory })
  expect(first.key).toMatch(/^csk_\w{12}_\w{40}$/)
  const body = { organisation: 'acme', name: 'ci', scopes: ['pricing:read'] }
  const issued = (await first.request('/admin/keys', { body })).json
  await first.kill()
  const second = await start({ directory, withoutKey: true })
  await eventually(async () => (await ask(second.url, '/readyz')).status === 200)
  expect(second.output.out).not.toContain('csk_')
  const { json } = await ask(second.url, '/admin/keys', { key: first.key })
  expect(json.keys.map((key: { id: string }) => key.id).sort()).toEqual(
    [issued.id, first.key.split('_')[1]].sort(),
  )
})

test('a bootstrap key is accepted on an empty database, and not again once it is revoked', async () => {
  const directory = newDirectory()
  const key = `csk_bootstrap001_${'s'.repeat(32)}`
  const options = { directory, withoutKey: true, env: { CHEAPSIDE_BOOTSTRAP_KEY: key } }
  const first = await start(options)
  await eventually(async () => (await ask(first.url, '/admin/keys', { key })).status === 200)
  expect(first.output.out).not.toContain('csk_')
  await ask(first.url, '/admin/keys/bootstrap001/revoke', { key, method: 'POST' })
  expect((await ask(first.url, '/admin/keys', { key })).status).toBe(401)
  await first.stop()
  const second = await start(options)
  await eventually(async () => (await ask(second.url, '/readyz')).status === 200)
  expect((await ask(second.url, '/admin/keys', { key })).status).toBe(401)
})

test('SIGTERM: new requests get 503, requests in progress finish, exit 0', async () => {
  const service = await start()
  const slow = httpRequest(`${service.url}/admin/keys`, {
    method: 'POST',
    headers: { 'x-api-key': service.key, 'content-type': 'application/json' },
  })
  slow.write('{"organisation":"acme","name":"slow",')
  await once(slow, 'socket')
  await eventually(async () => (await ask(service.url, '/metrics')).status === 200)
  const exited = service.stop()
  await eventually(async () => (await ask(service.url, '/readyz')).status === 503)
  const refused = await service.request('/admin/keys')
  expect([refused.status, refused.json.code, refused.headers.get('retry-after')]).toEqual([
    503,
    'draining',
    '1',
  ])
  expect((await ask(service.url, '/healthz')).status).toBe(200)
  slow.end('"scopes":["pricing:read"]}')
  const [response] = await once(slow, 'response')
  expect(response.statusCode).toBe(201)
  response.resume()
  expect(await exited).toBe(0)
  expect(service.output.out + service.output.err).toContain('"msg":"stopping"')
})

test('after SIGTERM the port stays open for a while and reports that this node is draining', async () => {
  const service = await start({ env: { CHEAPSIDE_GRACE_SECONDS: '3600', CHEAPSIDE_DRAIN_SECONDS: '3600' } })
  const key = { 'X-API-KEY': service.key }
  const open = () => new RawClient(service.url, { localAddress: '127.0.0.1' })
  const kept = open().send(requestText('GET', '/key', key))
  expect(await kept.answers(1)).toEqual([200])
  void service.stop()
  await eventually(async () => (await ask(service.url, '/readyz')).status === 503)
  kept.send(requestText('GET', '/key', key))
  const fresh = open().send(requestText('GET', '/key', key))
  const uploading = open().send(requestText('POST', '/pricing', { ...key, 'Content-Length': '2' }, '{}'))
  expect(await kept.answers(2)).toEqual([200, 503])
  expect(await fresh.answers(1)).toEqual([503])
  expect(await uploading.answers(1)).toEqual([503])
  await Promise.all([kept.closed, fresh.closed])
  for (const { received } of [kept, fresh]) {
    expect(received).toContain('"code":"draining"')
    expect(received.toLowerCase()).toContain('connection: close')
  }
  expect((await ask(service.url, '/healthz')).status).toBe(200)
})

describe('a failed start is reported in one line', () => {
  test('two services on one data directory', async () => {
    const service = await start()
    const { code, err } = await runProcess(['serve', '--listen', '127.0.0.1:0', '--data', service.directory])
    expect([code, err]).toEqual([
      1,
      `cheapside serve: The data directory ${service.directory} is already in use by process ${service.child.pid}\n`,
    ])
  })

  test('a bad setting', async () => {
    const { code, out, err } = await runCommand(['serve'], { CHEAPSIDE_LISTEN: 'nowhere' })
    expect([code, out]).toEqual([2, ''])
    expect(err).toBe(
      'cheapside: CHEAPSIDE_LISTEN must be host:port, such as 127.0.0.1:8080 or [::1]:8080, not "nowhere"\n',
    )
  })
})

test('keys issued and revoked on the command line take effect in the running service', async () => {
  const service = await start()
  const data = ['--data', service.directory]
  const issued = await runCommand([
    'keys',
    'issue',
    '--name',
    'cli',
    '--organisation',
    'acme',
    '--scope',
    'admin',
    '--json',
    ...data,
  ])
  const { key, id } = JSON.parse(issued.out)
  await eventually(async () => (await ask(service.url, '/admin/keys', { key })).status === 200)
  expect((await runCommand(['keys', 'revoke', id, ...data])).code).toBe(0)
  await eventually(async () => (await ask(service.url, '/admin/keys', { key })).status === 401)
})

test('rate limits: per key, and per address for those without one', async () => {
  const service = await start({
    env: {
      CHEAPSIDE_RATE_LIMIT: '1',
      CHEAPSIDE_RATE_BURST: '3',
      CHEAPSIDE_ADDRESS_LIMIT: '1',
      CHEAPSIDE_ADDRESS_BURST: '2',
    },
  })
  /** Sends requests one after the other, then so many at once that even a slow machine exceeds the limit. */
  const statuses = async (count: number, key?: string | null) => {
    const ask = () => service.request('/admin/keys', key === undefined ? {} : { key })
    const answers = []
    for (let i = 0; i < count; i++) answers.push(await ask())
    return [...answers, ...(await Promise.all(Array.from({ length: 100 }, ask)))]
  }
  const known = await statuses(3)
  expect(known.slice(0, 3).map(({ status }) => status)).toEqual([200, 200, 200])
  expect(known[0]!.headers.get('ratelimit-limit')).toBe('3')
  expect(known[0]!.headers.get('ratelimit-remaining')).toBe('2')
  const limited = known.find(({ status }) => status === 429)!
  expect(limited.json.code).toBe('rate-limited')
  expect(Number(limited.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
  const unknown = await statuses(2, null)
  expect(unknown.slice(0, 2).map(({ status }) => status)).toEqual([401, 401])
  expect(unknown.map(({ status }) => status)).toContain(429)
})
