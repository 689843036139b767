import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type OwnTestPostgres, query, startOwnPostgres } from './peers/postgres.ts'
import { testWith } from './peers/test-with.ts'
import { ask, eventually, type RunningService, runProcess, smallCatalogue, startService } from './service.ts'

let postgres: OwnTestPostgres
const running: RunningService[] = []
beforeAll(async () => {
  postgres = await startOwnPostgres()
})
afterEach(() => Promise.all(running.splice(0).map((service) => service.kill())))
afterAll(() => postgres?.stop())

async function start(env: Record<string, string> = {}, directory?: string): Promise<RunningService> {
  const service = await startService({
    env: { CHEAPSIDE_RATE_LIMIT: '0', CHEAPSIDE_ADDRESS_LIMIT: '0', ...env },
    ...(directory === undefined ? {} : { directory }),
  })
  running.push(service)
  await isReady(service)
  return service
}

const readyz = async ({ url }: RunningService) => ask(url, '/readyz')
const isReady = (service: RunningService) => eventually(async () => (await readyz(service)).status === 200)
const linesOf = ({ output }: RunningService) =>
  output.err.split('\n').filter((line) => line.includes('"level"'))

test('an outage of PostgreSQL is logged in a few lines without a stack, and the service recovers automatically', async () => {
  const service = await start({
    DATABASE_URL: await postgres.createDatabase(),
    CHEAPSIDE_KEY_TRUST_SECONDS: '600',
  })
  await postgres.stopHard()
  try {
    for (let n = 0; n < 300; n++) {
      const { status, json } = await service.request('/marketplace/providers')
      expect([status, json.code]).toEqual([503, 'store-unavailable'])
    }
    await eventually(async () => (await readyz(service)).json.troubles?.writes !== undefined)
  } finally {
    await postgres.start()
  }
  await isReady(service)
  expect((await service.request('/marketplace/providers')).status).toBe(200)
  expect(service.output.err).not.toContain('stack')
  const failed = linesOf(service).filter((line) => line.includes('request failed'))
  expect(failed.length).toBeGreaterThan(0)
  // One line per reason, and again every half minute. There are several reasons while connections break.
  expect(failed.length).toBeLessThan(60)
})

const price = { cost_per_hour: 1, cpu_cores: 1, ram_gb: 1, region: 'r' }
const registration = (name: string) => ({
  body: {
    name,
    entries: Array.from({ length: 300 }, (_, n) => ({ ...price, instance_type: `t${n}` })),
  },
})

testWith('util-linux')(
  'without disk space the service is not ready but still answers reads; with space it is ready again',
  async () => {
    const service = await start()
    const register = (name: string) => service.request('/marketplace/providers', registration(name))
    expect((await register('before')).status).toBe(200)
    limitFiles(service, '4096')
    for (let n = 0; n < 50; n++) {
      const { status, json } = await register(`refused-${n}`)
      expect([status, json.code]).toEqual([503, 'store-unavailable'])
    }
    const { json } = await eventually(async () => {
      const answer = await readyz(service)
      return answer.status === 503 && answer
    })
    expect(json.troubles).toEqual({ writes: 'takes no writes; its disk may be full' })
    expect((await service.request('/marketplace/providers')).json.count).toBe(1)
    limitFiles(service, 'unlimited')
    await isReady(service)
    expect((await register('after')).status).toBe(200)
    expect((await service.request('/marketplace/providers')).json.count).toBe(2)
    expect(service.output.err).not.toContain('stack')
    expect(linesOf(service).filter((line) => line.includes('request failed')).length).toBeLessThan(10)
    expect(service.output.err).toContain('the database accepts writes again')
  },
)

test('a data directory that others can read is warned about', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'cheapside-open-'))
  try {
    chmodSync(directory, 0o755)
    const service = await start({}, directory)
    expect(linesOf(service).filter((line) => line.includes('is accessible to other users'))).toHaveLength(1)
    await service.stop()
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
})

test('a PostgreSQL that is too old is refused in one line', async () => {
  const url = await postgres.createDatabase()
  await query(
    url,
    `CREATE SCHEMA other;
     CREATE FUNCTION other.current_setting(name text) RETURNS text LANGUAGE sql AS
       $$ SELECT CASE name WHEN 'server_version_num' THEN '130022' ELSE pg_catalog.current_setting(name) END $$;
     ALTER DATABASE ${new URL(url).pathname.slice(1)} SET search_path = other, pg_catalog, public`,
  )
  const serve = await runProcess(['serve', '--listen', '127.0.0.1:0'], {
    DATABASE_URL: url,
    CHEAPSIDE_LOG_LEVEL: 'fatal',
  })
  expect(serve.code).toBe(1)
  expect(serve.err).toMatch(
    /^cheapside serve: PostgreSQL: the server has version .* needs version 14 or newer\n$/,
  )
})

/** The kernel refuses to let any file of the process grow beyond this size, which simulates a full disk. */
function limitFiles({ child }: RunningService, bytes: string): void {
  execFileSync('prlimit', ['--pid', String(child.pid), `--fsize=${bytes}:unlimited`])
}

const key = `csk_bootstrap001_${'s'.repeat(32)}`
const startNode = async (url: string, env: Record<string, string> = { CHEAPSIDE_BOOTSTRAP_KEY: key }) => {
  const service = await startService({
    withoutKey: true,
    env: { DATABASE_URL: url, CHEAPSIDE_CATALOGUE: smallCatalogue, ...env },
  })
  running.push(service)
  return service
}
const status = async (service: RunningService, using: string) =>
  (await ask(service.url, '/key', { key: using })).status

test('start at the same time on an empty database: one of them creates the first key', async () => {
  const url = await postgres.createDatabase()
  const nodes = await Promise.all([1, 2, 3].map(() => startNode(url, {})))
  await Promise.all(nodes.map(isReady))
  const printed = nodes.flatMap(({ output }) => output.out.match(/csk_\w{12}_\w{40}/g) ?? [])
  expect(printed).toHaveLength(1)
  for (const node of nodes) await eventually(async () => (await status(node, printed[0]!)) === 200)
})

test('PostgreSQL unavailable at start: the service waits, reports it, and starts later', async () => {
  const url = await postgres.createDatabase()
  await postgres.stopHard()
  const service = await startNode(url)
  const notReady = await ask(service.url, '/readyz')
  expect([notReady.status, notReady.json.status]).toEqual([503, 'not ready'])
  expect((await ask(service.url, '/healthz')).status).toBe(200)
  const early = await ask(service.url, '/key', { key })
  expect([early.status, early.json.code]).toEqual([503, 'starting'])
  await eventually(async () => service.output.err.includes('waiting for the database'))
  await postgres.start()
  await isReady(service)
  expect(await status(service, key)).toBe(200)
})

test('PostgreSQL unavailable later: requests that need it get 503, and it recovers automatically', async () => {
  const url = await postgres.createDatabase()
  const service = await startNode(url, { CHEAPSIDE_BOOTSTRAP_KEY: key, CHEAPSIDE_KEY_TRUST_SECONDS: '5' })
  await isReady(service)
  await postgres.stopHard()
  const write = await ask(service.url, '/admin/keys', {
    key,
    body: { organisation: 'a', name: 'k', scopes: ['admin'] },
  })
  expect([write.status, write.json.code]).toEqual([503, 'store-unavailable'])
  expect(write.headers.get('retry-after')).toBe('1')
  await eventually(async () => (await ask(service.url, '/readyz')).status === 503)
  await postgres.start()
  await isReady(service)
  await eventually(async () => (await status(service, key)) === 200)
  const { json } = await ask(service.url, '/admin/keys', { key })
  expect(json.keys.map(({ name }: { name: string }) => name)).toEqual(['first key'])
})
