import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { query, startOwnPostgres, type TestPostgres } from '../../../../test/peers/postgres.ts'
import { startTestService } from '../../../server/service.case.ts'
import { exampleKey } from '../../../store/contract/examples.case.ts'
import { openStore } from '../../../store/open.ts'
import type { Store } from '../../../store/port.ts'
import { runCli } from '../../cli.ts'
import { backupCommands } from './backup.ts'

const scratch = mkdtempSync(join(tmpdir(), 'cheapside-backup-'))
afterAll(() => rmSync(scratch, { recursive: true, force: true }))
const hasTools = spawnSync('pg_dump', ['--version']).status === 0

/** Settings of a database that does not exist yet. */
type Fresh = () => Promise<{ CHEAPSIDE_DATA: string; DATABASE_URL?: string; PATH?: string }>
type Environment = Awaited<ReturnType<Fresh>>

const freshDirectory = () => join(scratch, crypto.randomUUID())
const freshFile = () => join(mkdtempSync(join(scratch, 'files-')), 'backup')

async function run(environment: Environment, ...words: string[]) {
  const said: string[] = []
  const hear = (text: string) => void said.push(text)
  const code = await runCli(backupCommands, words, environment, { out: hear, err: hear })
  return { code, said: said.join('\n') }
}

async function withStore<Result>(
  { CHEAPSIDE_DATA, DATABASE_URL = '' }: Environment,
  use: (store: Store) => Promise<Result>,
) {
  const store = await openStore({ dataDirectory: CHEAPSIDE_DATA, databaseUrl: DATABASE_URL })
  return use(store).finally(() => store.close())
}

const keysIn = (at: Environment) =>
  withStore(at, async ({ keys }) => (await keys.all()).map(({ id }) => id).sort())

function check(fresh: Fresh, setVersion: (at: Environment, version: number) => Promise<void>) {
  test('a backup while a service runs has what the service acknowledged, and is private', async () => {
    const [from, to, file] = [await fresh(), await fresh(), freshFile()]
    const service = await startTestService({ ...from })
    const body = { organisation: 'acme', name: 'ci', scopes: ['pricing:read'] }
    const { id } = (await service.ask('/admin/keys', { body })).json
    expect(await run(from, 'backup', file)).toEqual({
      code: 0,
      said: expect.stringContaining(`Wrote ${file}, `),
    })
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(readdirSync(join(file, '..'))).toEqual(['backup'])
    const refused = await run(from, 'restore', file, '--force')
    expect(refused).toEqual({ code: 1, said: expect.stringMatching(/in use by process|uses the database/) })
    await service.stop()
    expect((await run(to, 'restore', file)).code).toBe(0)
    expect(await keysIn(to)).toContain(id)
    expect(await keysIn(to)).toEqual(await keysIn(from))
  })

  test('a backup has the journal, and each write that was done before it began', async () => {
    const [from, to, file] = [await fresh(), await fresh(), freshFile()]
    const partition = { organisation: 'acme', source: 'push' }
    const entry = {
      partition,
      receivedAt: 1,
      format: 'remote-write-1' as const,
      cluster: 'east',
      body: Buffer.from('samples'),
    }
    const done = await withStore(from, async (store) => {
      await store.usage.append([entry])
      const done: string[] = []
      let stopped = false
      const writing = (async () => {
        for (let count = 0; !stopped; count++) {
          const key = exampleKey(`key${String(count).padStart(9, '0')}`)
          await store.keys.insert(key)
          done.push(key.id)
        }
      })()
      while (done.length < 20) await new Promise(setImmediate)
      const before = [...done]
      expect((await run(from, 'backup', file)).code).toBe(0)
      stopped = true
      await writing
      return before
    })
    expect((await run(to, 'restore', file)).code).toBe(0)
    expect(await keysIn(to)).toEqual(expect.arrayContaining(done))
    expect(await withStore(to, (store) => store.usage.pending())).toEqual([partition])
  })

  test('nothing is replaced without --force, and nothing changes if a restore fails', async () => {
    const [at, file] = [await fresh(), freshFile()]
    await withStore(at, ({ keys }) => keys.insert(exampleKey('aaaaaaaaaaaa')))
    expect((await run(at, 'backup', file)).code).toBe(0)
    expect(await run(at, 'backup', file)).toEqual({
      code: 1,
      said: expect.stringContaining('exists already'),
    })
    expect((await run(at, 'backup', file, '--force')).code).toBe(0)
    await withStore(at, ({ keys }) => keys.insert(exampleKey('bbbbbbbbbbbb')))
    const both = await keysIn(at)
    expect(await run(at, 'restore', file)).toEqual({
      code: 1,
      said: expect.stringContaining('--force replaces'),
    })
    const whole = readFileSync(file)
    for (const length of [10, 1000, Math.floor(whole.length / 2)]) {
      writeFileSync(file, whole.subarray(0, length))
      expect([length, (await run(at, 'restore', file, '--force')).code]).toEqual([length, 1])
      expect(await keysIn(at)).toEqual(both)
    }
    writeFileSync(file, whole)
    expect((await run(at, 'restore', file, '--force')).code).toBe(0)
    expect(await keysIn(at)).toEqual(['aaaaaaaaaaaa'])
  })

  test('a backup of a newer release is refused', async () => {
    const [from, to, file] = [await fresh(), await fresh(), freshFile()]
    await withStore(from, async () => {})
    await setVersion(from, 999)
    expect((await run(from, 'backup', file)).code).toBe(0)
    expect(await run(to, 'restore', file)).toEqual({
      code: 1,
      said: expect.stringMatching(/has version 999, but this release .* start a newer release$/),
    })
  })

  test('a file that cannot be written leaves nothing behind', async () => {
    const at = await fresh()
    await withStore(at, async () => {})
    const parent = mkdtempSync(join(scratch, 'parent-'))
    mkdirSync(join(parent, 'directory'))
    const { code, said } = await run(at, 'backup', join(parent, 'directory'), '--force')
    expect([code, said]).toEqual([1, expect.stringContaining('cannot be written')])
    expect(readdirSync(parent)).toEqual(['directory'])
  })
}

describe('embedded database', () => {
  const fresh: Fresh = async () => ({ CHEAPSIDE_DATA: freshDirectory() })
  check(fresh, async ({ CHEAPSIDE_DATA }, version) => {
    const db = new DatabaseSync(join(CHEAPSIDE_DATA, 'cheapside.db'))
    db.exec(`PRAGMA user_version = ${version}`)
    db.close()
  })

  test('there must be a database', async () => {
    const { code, said } = await run(await fresh(), 'backup', freshFile())
    expect([code, said]).toEqual([1, expect.stringContaining('There is no database in')])
  })
})

describe.skipIf(!hasTools)('PostgreSQL, with pg_dump, pg_restore and psql', () => {
  let server: TestPostgres
  beforeAll(async () => {
    server = await startOwnPostgres({ release: 'debian-15' })
  })
  afterAll(() => server.stop())
  check(
    async () => ({
      CHEAPSIDE_DATA: freshDirectory(),
      DATABASE_URL: await server.createDatabase(),
      PATH: process.env.PATH!,
    }),
    async ({ DATABASE_URL }, version) => {
      await query(DATABASE_URL!, `INSERT INTO schema_versions (version) VALUES (${version})`)
    },
  )

  test('a program that is not installed is named, with what to install', async () => {
    const at = { CHEAPSIDE_DATA: freshDirectory(), DATABASE_URL: server.url, PATH: freshDirectory() }
    const { code, said } = await run(at, 'backup', freshFile())
    expect([code, said]).toEqual([1, expect.stringMatching(/pg_dump is not installed; .*postgresql-client/)])
  })
})
