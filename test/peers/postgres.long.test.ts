import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, lstatSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type OwnTestPostgres, query, startOwnPostgres, startPostgres } from './postgres.ts'
import { copyOf, giveAway, npmPackage, runs } from './postgres-binaries.ts'

let server: OwnTestPostgres
beforeAll(async () => {
  server = await startOwnPostgres()
})
afterAll(() => server.stop())

test('databases are separate and empty', async () => {
  const [one, other] = await Promise.all([server.createDatabase(), server.createDatabase()])
  await query(one, 'CREATE TABLE t (n integer)')
  expect(await query(one, 'SELECT * FROM t')).toEqual([])
  await expect(query(other, 'SELECT * FROM t')).rejects.toThrow('does not exist')
})

test('committed data survives a hard stop, at the same address', async () => {
  const url = await server.createDatabase()
  await query(url, 'CREATE TABLE t AS SELECT 1 AS n')
  await server.stopHard()
  await expect(query(url, 'SELECT 1')).rejects.toThrow()
  await server.start()
  expect(await query(url, 'SELECT n FROM t')).toEqual([{ n: 1 }])
  await server.restart()
  expect(await query(url, 'SELECT n FROM t')).toEqual([{ n: 1 }])
})

test('a given server is used, and left as it was', async () => {
  const databases = () => query(server.url, 'SELECT datname FROM pg_database ORDER BY 1')
  const before = await databases()
  vi.stubEnv('TEST_DATABASE_URL', server.url)
  try {
    const given = await startPostgres()
    expect(await query(await given.createDatabase(), 'SELECT 1 AS n')).toEqual([{ n: 1 }])
    expect(await databases()).toHaveLength(before.length + 1)
    await given.stop()
  } finally {
    vi.unstubAllEnvs()
  }
  expect(await databases()).toEqual(before)
})

const native = npmPackage()
if (native !== undefined) {
  test('binaries without library links run from a copy', () => {
    const scratch = mkdtempSync(join(tmpdir(), 'cheapside-postgres-copy-'))
    giveAway(scratch)
    try {
      const withoutLinks = join(scratch, 'installed')
      cpSync(native, withoutLinks, { recursive: true, filter: (path) => !lstatSync(path).isSymbolicLink() })
      expect(runs(join(withoutLinks, 'bin'))).toBe(false)
      expect(runs(copyOf(withoutLinks, scratch))).toBe(true)
    } finally {
      rmSync(scratch, { recursive: true, force: true })
    }
  })
}

test('the server ends when the tests are killed', async () => {
  const module = new URL('./postgres.ts', import.meta.url).href
  const code = `const { startOwnPostgres } = await import(${JSON.stringify(module)})
    console.log((await startOwnPostgres()).url)`
  const tests = spawn(process.execPath, ['--input-type=module', '-e', code], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [url] = await once(createInterface(tests.stdout), 'line')
  expect(await query(url, 'SELECT 1 AS n')).toEqual([{ n: 1 }])
  tests.kill('SIGKILL')
  await vi.waitFor(() => expect(query(url, 'SELECT 1')).rejects.toThrow(), 120_000)
})
