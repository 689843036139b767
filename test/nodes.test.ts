import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type OwnTestPostgres, query, startOwnPostgres } from './peers/postgres.ts'
import {
  ask,
  eventually,
  type RunningService,
  runCommand,
  runProcess,
  smallCatalogue,
  startService,
} from './service.ts'

let postgres: OwnTestPostgres
const running: RunningService[] = []
beforeAll(async () => {
  postgres = await startOwnPostgres()
})
afterEach(async () => {
  await Promise.all(running.splice(0).map((service) => service.kill()))
})
afterAll(() => postgres?.stop())

const key = `csk_bootstrap001_${'s'.repeat(32)}`
async function start(databaseUrl: string, env: Record<string, string> = { CHEAPSIDE_BOOTSTRAP_KEY: key }) {
  const service = await startService({
    withoutKey: true,
    env: { DATABASE_URL: databaseUrl, CHEAPSIDE_CATALOGUE: smallCatalogue, ...env },
  })
  running.push(service)
  return service
}
const ready = (service: RunningService) =>
  eventually(async () => (await ask(service.url, '/readyz')).status === 200)
const status = async (service: RunningService, using: string) =>
  (await ask(service.url, '/key', { key: using })).status

describe('several nodes on one PostgreSQL', () => {
  test('start at the same time on an empty database: one of them creates the first key', async () => {
    const url = await postgres.createDatabase()
    const nodes = await Promise.all([1, 2, 3].map(() => start(url, {})))
    await Promise.all(nodes.map(ready))
    const printed = nodes.flatMap(({ output }) => output.out.match(/csk_\w{12}_\w{40}/g) ?? [])
    expect(printed).toHaveLength(1)
    for (const node of nodes) await eventually(async () => (await status(node, printed[0]!)) === 200)
  })

  test('a key issued on one is valid on the other, and revoked there it is refused here', async () => {
    const url = await postgres.createDatabase()
    const [a, b] = [await start(url), await start(url)]
    await Promise.all([a, b].map(ready))
    const body = { organisation: 'acme', name: 'k', scopes: ['pricing:read'] }
    const issued = (await ask(a.url, '/admin/keys', { key, body })).json
    await eventually(async () => (await status(b, issued.key)) === 200)
    await ask(b.url, `/admin/keys/${issued.id}/revoke`, { key, method: 'POST' })
    expect(await status(b, issued.key)).toBe(401)
    await eventually(async () => (await status(a, issued.key)) === 401)
  })

  test('keys and console sessions of one are valid on the other immediately', async () => {
    const url = await postgres.createDatabase()
    const [a, b] = [await start(url), await start(url)]
    await Promise.all([a, b].map(ready))
    const body = { organisation: 'acme', name: 'k', scopes: ['pricing:read'] }
    const statuses: number[] = []
    for (let round = 0; round < 10; round++) {
      const issued = (await ask(a.url, '/admin/keys', { key, body })).json
      statuses.push(await status(b, issued.key))
      const opened = await fetch(`${a.url}/v1/session`, {
        method: 'POST',
        headers: { 'x-api-key': issued.key },
      })
      const cookie = opened.headers.getSetCookie()[0]!.split(';')[0]!
      statuses.push((await fetch(`${b.url}/key`, { headers: { cookie } })).status)
    }
    expect(statuses).toEqual(statuses.map(() => 200))
    expect(await status(b, `csk_${'x'.repeat(12)}_${'y'.repeat(40)}`)).toBe(401)
  })

  test('last use is recorded when the node stops', async () => {
    const url = await postgres.createDatabase()
    const node = await start(url)
    await ready(node)
    expect(await status(node, key)).toBe(200)
    await node.stop()
    const [row] = await query(url, 'SELECT last_used_at FROM api_keys')
    expect(Number(row!.last_used_at)).toBeGreaterThan(0)
  })
})

test('PostgreSQL unavailable at start: the service waits, reports it, and starts later', async () => {
  const url = await postgres.createDatabase()
  await postgres.stopHard()
  const service = await start(url)
  const notReady = await ask(service.url, '/readyz')
  expect([notReady.status, notReady.json.status]).toEqual([503, 'not ready'])
  expect((await ask(service.url, '/healthz')).status).toBe(200)
  const early = await ask(service.url, '/key', { key })
  expect([early.status, early.json.code]).toEqual([503, 'starting'])
  await eventually(async () => service.output.err.includes('waiting for the database'))
  await postgres.start()
  await ready(service)
  expect(await status(service, key)).toBe(200)
})

test('PostgreSQL unavailable later: requests that need it get 503, and it recovers automatically', async () => {
  const url = await postgres.createDatabase()
  const service = await start(url, { CHEAPSIDE_BOOTSTRAP_KEY: key, CHEAPSIDE_KEY_TRUST_SECONDS: '5' })
  await ready(service)
  await postgres.stopHard()
  const write = await ask(service.url, '/admin/keys', {
    key,
    body: { organisation: 'a', name: 'k', scopes: ['admin'] },
  })
  expect([write.status, write.json.code]).toEqual([503, 'store-unavailable'])
  expect(write.headers.get('retry-after')).toBe('1')
  await eventually(async () => (await ask(service.url, '/readyz')).status === 503)
  await postgres.start()
  await ready(service)
  await eventually(async () => (await status(service, key)) === 200)
  const { json } = await ask(service.url, '/admin/keys', { key })
  expect(json.keys.map(({ name }: { name: string }) => name)).toEqual(['first key'])
})

test('a database written by a newer version is refused', async () => {
  const url = await postgres.createDatabase()
  await runCommand(['keys', 'list'], { DATABASE_URL: url })
  await query(url, 'INSERT INTO schema_versions (version) VALUES (1000)')
  const { code, err } = await runProcess(['serve', '--listen', '127.0.0.1:0'], {
    DATABASE_URL: url,
    CHEAPSIDE_LOG_LEVEL: 'fatal',
  })
  expect([code, err.trim().split('\n').length]).toEqual([1, 1])
  expect(err).toMatch(/^cheapside serve: .*newer/)
})
