import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { query, startPostgres, type TestPostgres } from './peers/postgres.ts'
import {
  ask,
  eventually,
  type RunningService,
  runCommand,
  runProcess,
  smallCatalogue,
  startService,
} from './service.ts'

let postgres: TestPostgres
const running: RunningService[] = []
beforeAll(async () => {
  postgres = await startPostgres()
})
afterAll(async () => {
  await Promise.all(running.map((service) => service.kill()))
  await postgres?.stop()
})

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

describe('two nodes on one PostgreSQL', () => {
  let url: string
  let a: RunningService
  let b: RunningService
  beforeAll(async () => {
    url = await postgres.createDatabase()
    a = await start(url)
    await ready(a)
    b = await start(url)
    await ready(b)
  })
  const body = { organisation: 'acme', name: 'k', scopes: ['pricing:read'] }

  test('a key issued on one is valid on the other, and revoked there it is refused here', async () => {
    const issued = (await ask(a.url, '/admin/keys', { key, body })).json
    await eventually(async () => (await status(b, issued.key)) === 200)
    await ask(b.url, `/admin/keys/${issued.id}/revoke`, { key, method: 'POST' })
    expect(await status(b, issued.key)).toBe(401)
    await eventually(async () => (await status(a, issued.key)) === 401)
  })

  test('keys and console sessions of one are valid on the other immediately', async () => {
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

  test('last use is recorded when a node stops', async () => {
    expect(await status(b, key)).toBe(200)
    await b.stop()
    const [row] = await query(url, "SELECT last_used_at FROM api_keys WHERE name = 'first key'")
    expect(Number(row!.last_used_at)).toBeGreaterThan(0)
  })
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
