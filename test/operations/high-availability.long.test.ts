import { afterAll, beforeAll, expect } from 'vitest'
import { exampleRequest } from '../example-request.ts'
import { startPostgres, type TestPostgres } from '../peers/postgres.ts'
import { testWith } from '../peers/test-with.ts'
import { ask, eventually, type RunningService, startService } from '../service.ts'
import { adapted, blockOf } from './pages.ts'
import { freePort, type ReverseProxy, startNginx } from './proxy.ts'

const test = testWith('nginx')

const key = `csk_bootstrap001_${'s'.repeat(32)}`
let postgres: TestPostgres
let nodes: RunningService[]
let nginx: ReverseProxy
let url: string

beforeAll(async () => {
  postgres = await startPostgres()
  const env = {
    DATABASE_URL: await postgres.createDatabase(),
    CHEAPSIDE_BOOTSTRAP_KEY: key,
    CHEAPSIDE_RATE_LIMIT: '0',
    CHEAPSIDE_TRUSTED_PROXIES: '127.0.0.1',
  }
  nodes = await Promise.all([1, 2].map(() => startService({ withoutKey: true, env })))
  const port = await freePort()
  url = `http://127.0.0.1:${port}`
  const [first, second] = nodes.map((node) => new URL(node.url).host) as [string, string]
  nginx = await startNginx(
    adapted(blockOf('high-availability.md', 'nginx'), {
      '10.0.0.1:8080': first,
      '10.0.0.2:8080': second,
      'listen 8080': `listen 127.0.0.1:${port}`,
    }),
  )
  const takesKeys = (at: string) =>
    ask(at, '/key', { key }).then(
      ({ status }) => status === 200,
      () => false,
    )
  for (const at of [...nodes.map((node) => node.url), url]) await eventually(() => takesKeys(at))
}, 180_000)
afterAll(async () => {
  await nginx?.stop()
  await Promise.all((nodes ?? []).map((node) => node.kill()))
  await postgres?.stop()
})

const question = exampleRequest({ providers: ['aws'] })

test('the console can change something over plain HTTP', async () => {
  const session = await ask(url, '/v1/session', { key, method: 'POST' })
  expect(session.status).toBe(201)
  const cookie = session.headers.get('set-cookie')!.split(';')[0]!
  for (const node of nodes)
    await eventually(async () => (await ask(node.url, '/key', { headers: { cookie } })).status === 200)
  const headers = { cookie, origin: url, 'x-cheapside-session': '1' }
  expect((await ask(url, '/v1/session', { method: 'DELETE', headers })).status).toBe(204)
}, 30_000)

test('a node stops while requests run: none fails, and earlier writes are kept', async () => {
  const issued = await ask(url, '/admin/keys', {
    key,
    body: { organisation: 'acme', name: 'ci', scopes: ['pricing:read'] },
  })
  expect(issued.status).toBe(201)
  const statuses = new Map<number, number>()
  let stopped = false
  const asker = async (path: string, body?: unknown) => {
    for (let after = 0; after < 20; after += stopped ? 1 : 0) {
      const { status } = await ask(url, path, { key, ...(body === undefined ? {} : { body }) })
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
    }
  }
  const askers = [
    asker('/recommendations', question),
    asker('/v1/pricing/compute', { provider: 'aws', region: 'us-east-1', instance_type: 'm5.xlarge' }),
    asker('/providers'),
  ]
  await eventually(async () => (statuses.get(200) ?? 0) > 20)
  expect(await nodes[0]!.stop()).toBe(0)
  stopped = true
  await Promise.all(askers)
  expect([...statuses.keys()]).toEqual([200])
  expect((await ask(url, '/key', { key: issued.json.key })).json).toMatchObject({ organisation: 'acme' })
}, 120_000)
