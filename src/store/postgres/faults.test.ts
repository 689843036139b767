import { once } from 'node:events'
import { createServer } from 'node:net'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { type OwnTestPostgres, query, startOwnPostgres } from '../../../test/peers/postgres.ts'
import { eventually } from '../../../test/service.ts'
import { exampleEntry, exampleKey } from '../contract/examples.case.ts'
import { entry } from '../contract/usage-examples.case.ts'
import { type Store, StoreUnavailable, StoreUnusable } from '../port.ts'
import { watchChanges } from '../watch.ts'
import { isMisconfiguration } from './errors.ts'
import { postgresListener } from './listener.ts'
import { openPostgresStore } from './store.ts'

let server: OwnTestPostgres
beforeAll(async () => {
  server = await startOwnPostgres()
})
afterAll(() => server.stop())

let opened: Store[] = []
afterEach(async () => {
  await Promise.all(opened.map((store) => store.close()))
  opened = []
})
async function open(url: string, more: { connectTimeoutMs?: number; statementTimeoutMs?: number } = {}) {
  const store = await openPostgresStore({ url, ...more })
  opened.push(store)
  return store
}

test.each(['stopHard', 'restart'] as const)(
  '%s in mid-use: unavailable, then works by itself',
  async (how) => {
    const store = await open(await server.createDatabase())
    const acknowledged: string[] = []
    const errors: unknown[] = []
    let stopping = false
    const writers = Array.from({ length: 5 }, async (_, w) => {
      for (let n = 0; !stopping; n++) {
        try {
          await store.keys.insert(exampleKey(`${w}-${n}`))
          acknowledged.push(`${w}-${n}`)
        } catch (error) {
          errors.push(error)
        }
      }
    })
    await vi.waitFor(() => expect(acknowledged.length).toBeGreaterThan(20), 120_000)
    await server[how]()
    if (how === 'stopHard') {
      await expect(store.ping()).rejects.toThrow(StoreUnavailable)
      await expect(store.marketplace.register('acme', [exampleEntry('a')])).rejects.toThrow(StoreUnavailable)
      await server.start()
    }
    const before = acknowledged.length
    await vi.waitFor(() => expect(acknowledged.length).toBeGreaterThan(before + 20), 120_000)
    stopping = true
    await Promise.all(writers)
    expect(errors.filter((error) => !(error instanceof StoreUnavailable))).toEqual([])
    expect(errors.length).toBeGreaterThan(0)
    const kept = new Set((await store.keys.all()).map((key) => key.id))
    expect(acknowledged.filter((id) => !kept.has(id))).toEqual([])
  },
)

test('pushed samples are on the disk when they are acknowledged, whatever the default of the server', async () => {
  const url = await server.createDatabase()
  await open(url)
  await query(url, `ALTER DATABASE ${new URL(url).pathname.slice(1)} SET synchronous_commit = off`)
  await query(
    url,
    `CREATE TABLE seen (setting text);
     CREATE FUNCTION see() RETURNS trigger LANGUAGE plpgsql AS
       $$BEGIN INSERT INTO seen VALUES (current_setting('synchronous_commit')); RETURN NULL; END$$;
     CREATE TRIGGER see AFTER INSERT ON usage_journal FOR EACH ROW EXECUTE FUNCTION see();`,
  )
  const store = await open(url)
  const sequences = await store.usage.append([entry([1]), entry([2])])
  expect(sequences).toHaveLength(2)
  await store.usage.append([entry([3])], { partition: entry([3]).partition, consumed: [...sequences] })
  const usual = "current_setting('synchronous_commit') AS usual"
  expect(await query(url, `SELECT DISTINCT setting, ${usual} FROM seen`)).toEqual([
    { setting: 'on', usual: 'off' },
  ])
})

test('after a restore under running nodes, no entry gets into the journal of another organisation', async () => {
  const url = await server.createDatabase()
  const store = await open(url)
  const of = (organisation: string) => ({ organisation, source: 'push' })
  await store.usage.append([entry([1], { partition: of('first') }), entry([2], { partition: of('second') })])
  await query(url, 'TRUNCATE usage_partitions RESTART IDENTITY CASCADE')
  await (await open(url)).usage.append([entry([3], { partition: of('second') })])
  const more = [entry([4], { partition: of('first') }), entry([5], { partition: of('second') })]
  expect(await store.usage.append(more)).toHaveLength(2)
  const bodies = async (organisation: string) =>
    (await store.usage.journal(of(organisation), 0, 10)).map(({ body }) => [...body])
  expect([await bodies('first'), await bodies('second')]).toEqual([[[4]], [[3], [5]]])
})

test('a lost LISTEN connection reconnects automatically', async () => {
  const url = await server.createDatabase()
  const [store, other] = [await open(url), await open(url)]
  const heard = new Set<string>()
  const watch = watchChanges(store.changes, {
    pollMs: 3_600_000,
    onChange: (topic) => void heard.add(topic),
    onError: () => undefined,
  })
  await other.marketplace.register('before', [exampleEntry('a')])
  await vi.waitFor(() => expect(heard).toContain('marketplace/before'), 120_000)
  const cut = `SELECT pg_terminate_backend(pid) AS cut FROM pg_stat_activity
    WHERE datname = current_database() AND query LIKE 'LISTEN%'`
  expect(await query(url, cut)).toEqual([{ cut: true }])
  await other.marketplace.register('meanwhile', [exampleEntry('a')])
  await vi.waitFor(() => expect(heard).toContain('marketplace/meanwhile'), 120_000)
  await server.restart()
  await vi.waitFor(() => other.marketplace.register('after', [exampleEntry('a')]), 120_000)
  await vi.waitFor(() => expect(heard).toContain('marketplace/after'), 120_000)
  watch.stop()
})

test('the LISTEN connection waits for a certificate file that cannot be read', async () => {
  const url = await server.createDatabase()
  let attempts = 0
  const listener = postgresListener({
    get connectionString() {
      if (attempts++ < 2) throw new Error('ENOENT: no such file or directory')
      return url
    },
  })
  await new Promise<void>((resolve) => listener.subscribe(resolve))
  await listener.close()
  expect(attempts).toBeGreaterThan(2)
})

test('a database that is read-only by default takes no writes, and the start waits', async () => {
  const url = await server.createDatabase()
  await query(url, `ALTER DATABASE ${new URL(url).pathname.slice(1)} SET default_transaction_read_only = on`)
  const refused = openPostgresStore({ url })
  await expect(refused).rejects.toThrow(StoreUnavailable)
  await expect(refused).rejects.toThrow('read-only transaction')
})

test('a statement that waits too long fails as unavailable and writes nothing', async () => {
  const url = await server.createDatabase()
  const other = await open(url)
  const store = await open(url, { statementTimeoutMs: 2_000 })
  const blocker = new pg.Client({ connectionString: url })
  blocker.on('error', () => undefined)
  await blocker.connect()
  await blocker.query('BEGIN; LOCK TABLE api_keys')
  await expect(store.keys.insert(exampleKey('a'))).rejects.toThrow(StoreUnavailable)
  await blocker.end()
  expect(await other.keys.all()).toEqual([])
  // On a busy machine, any statement may take that long.
  const isStored = () =>
    store.keys.insert(exampleKey('a')).then(
      () => true,
      () => false,
    )
  await eventually(async () => (await isStored()) || (await other.keys.all()).length > 0)
})

test('a server that is down or does not respond is unavailable', async () => {
  const mute = createServer().listen(0, '127.0.0.1')
  await once(mute, 'listening')
  const { port } = mute.address() as { port: number }
  const url = `postgres://someone:secret@127.0.0.1:${port}/any`
  await expect(openPostgresStore({ url, connectTimeoutMs: 200 })).rejects.toThrow(StoreUnavailable)
  mute.close()
  const refused = openPostgresStore({ url })
  await expect(refused).rejects.toThrow(StoreUnavailable)
  await expect(refused).rejects.toThrow('ECONNREFUSED')
  await expect(refused).rejects.not.toThrow('secret')
})

test('misconfiguration fails immediately', async () => {
  const wrong = (change: (url: URL) => void) => {
    const url = new URL(server.url)
    change(url)
    return openPostgresStore({ url: url.href }).catch((error) => `${error.name}: ${error.message}`)
  }
  const answers = [
    await wrong((url) => (url.password = 'not it')),
    await wrong((url) => (url.password = '')),
    await wrong((url) => (url.pathname = '/nowhere')),
    await openPostgresStore({ url: 'mysql://127.0.0.1/x' }).catch(String),
    await wrong((url) => url.searchParams.set('options', 'bogus')),
    await wrong((url) => url.searchParams.set('sslmode', 'verify-full')),
    await wrong((url) => url.searchParams.set('sslrootcert', '/no/such/file')),
    await wrong((url) => url.searchParams.set('sslkey', import.meta.filename)),
    await wrong((url) => url.searchParams.set('port', 'abc')),
  ]
  expect(answers[0]).toMatch(/^StoreUnusable: PostgreSQL: password authentication failed/)
  expect(answers[1]).toMatch(/^StoreUnusable: PostgreSQL: .*password must be/)
  expect(answers[2]).toMatch(/^StoreUnusable: PostgreSQL: database "nowhere" does not exist/)
  expect(answers[3]).toMatch(/does not begin with postgres:/)
  expect(answers[4]).toMatch(/^StoreUnusable: PostgreSQL: invalid command-line argument/)
  expect(answers[5]).toMatch(/^StoreUnusable: PostgreSQL: The server does not support SSL connections$/)
  expect(answers[6]).toMatch(/^StoreUnusable: The database address cannot be used: .* '\/no\/such\/file'$/)
  expect(answers[7]).toMatch(/^StoreUnusable: The database address cannot be used: error:/)
  expect(answers[8]).toMatch(/cannot be used: the port is not a number up to 65535$/)
})

test('tables of another program are left as they are', async () => {
  const url = await server.createDatabase()
  await query(url, 'CREATE TABLE organisations (name text)')
  await expect(openPostgresStore({ url })).rejects.toThrow(
    'PostgreSQL: relation "organisations" already exists',
  )
  expect(await query(url, "SELECT tablename FROM pg_tables WHERE schemaname = 'public'")).toEqual([
    { tablename: 'organisations' },
  ])
})

test('a certificate that is not trusted is a misconfiguration, and an expired one is not', () => {
  const failed = (code: string) => Object.assign(new Error('TLS'), { code })
  expect(isMisconfiguration(failed('DEPTH_ZERO_SELF_SIGNED_CERT'))).toBe(true)
  expect(isMisconfiguration(failed('ERR_TLS_CERT_ALTNAME_INVALID'))).toBe(true)
  expect(isMisconfiguration(failed('CERT_HAS_EXPIRED'))).toBe(false)
})

/** Its own current_setting() shadows PostgreSQL's, so that everything else is a real server. */
async function databaseThatSays(setting: string, value: string): Promise<string> {
  const url = await server.createDatabase()
  await query(
    url,
    `CREATE SCHEMA other;
     CREATE FUNCTION other.current_setting(name text) RETURNS text LANGUAGE sql AS
       $$ SELECT CASE name WHEN '${setting}' THEN '${value}' ELSE pg_catalog.current_setting(name) END $$;
     ALTER DATABASE ${new URL(url).pathname.slice(1)} SET search_path = other, pg_catalog, public`,
  )
  return url
}

test.each([
  {
    setting: 'server_version_num',
    value: '130022',
    says: /version \S+, and Cheapside needs version 14 or newer$/,
  },
  { setting: 'server_encoding', value: 'LATIN1', says: /must have the encoding UTF8, not LATIN1$/ },
])('$setting $value is refused in one line, and nothing is created', async ({ setting, value, says }) => {
  const url = await databaseThatSays(setting, value)
  const refused = openPostgresStore({ url })
  await expect(refused).rejects.toThrow(StoreUnusable)
  await expect(refused).rejects.toThrow(says)
  expect(await query(url, "SELECT 1 FROM pg_catalog.pg_tables WHERE schemaname = 'public'")).toEqual([])
})

test('version 14 is accepted', async () => {
  const store = await open(await databaseThatSays('server_version_num', '140000'))
  expect(await store.keys.all()).toEqual([])
})

test('a user who may not create tables gets a one-line error', async () => {
  const url = new URL(await server.createDatabase())
  await query(url.href, `REVOKE ALL ON SCHEMA public FROM PUBLIC; CREATE ROLE reader LOGIN PASSWORD 'reader'`)
  url.username = url.password = 'reader'
  const refused = openPostgresStore({ url: url.href })
  await expect(refused).rejects.toThrow(StoreUnusable)
  await expect(refused).rejects.toThrow(/permission denied|no schema has been selected/)
})

test('a user who does not own the tables gets a one-line error', async () => {
  const url = new URL(await server.createDatabase())
  await open(url.href)
  await query(
    url.href,
    `CREATE ROLE guest LOGIN PASSWORD 'guest'; GRANT ALL ON SCHEMA public TO guest;
     GRANT ALL ON ALL TABLES IN SCHEMA public TO guest`,
  )
  url.username = url.password = 'guest'
  const refused = openPostgresStore({ url: url.href })
  await expect(refused).rejects.toThrow(StoreUnusable)
  await expect(refused).rejects.toThrow('PostgreSQL: the tables belong to cheapside; the user')
})
