import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, onTestFinished } from 'vitest'
import { debianBinary, debianPath } from '../peers/debian-binary.ts'
import { query, startOwnPostgres } from '../peers/postgres.ts'
import { testWith } from '../peers/test-with.ts'
import { ask, eventually, runCommand, startService } from '../service.ts'
import { adapted, blockOf } from './pages.ts'

const test = testWith('sqlite3', 'postgresql-15')

const directory = mkdtempSync(join(tmpdir(), 'cheapside-backup-'))
const backup = join(directory, 'backup')
mkdirSync(backup, { mode: 0o777 })
afterAll(() => rmSync(directory, { recursive: true, force: true }))

const shell = (commands: string, env: Record<string, string> = {}) =>
  execFileSync('sh', ['-ec', commands], { env: { PATH: process.env.PATH, ...env }, stdio: 'pipe' })

/** Runs a line of the guide that begins with cheapside. */
const follow = (line: string, env: Record<string, string>) =>
  runCommand(adapted(line.split(' #')[0]!.trim(), { '/backup': backup }).split(' ').slice(1), env)

test('the embedded database: backup while the service runs, and restore', async () => {
  const data = join(directory, 'data')
  const first = await startService({ directory: data })
  const [save, , restore] = blockOf('database.md', 'sh', 'cheapside backup').trim().split('\n')
  expect(await follow(save!, { CHEAPSIDE_DATA: data })).toMatchObject({ code: 0 })
  const body = { organisation: 'acme', name: 'after the backup', scopes: ['pricing:read'] }
  const later = (await first.request('/admin/keys', { body })).json
  await first.kill()
  expect(await follow(restore!, { CHEAPSIDE_DATA: data })).toMatchObject({ code: 0 })
  const second = await startService({ directory: data, withoutKey: true })
  try {
    await eventually(async () => (await ask(second.url, '/readyz')).status === 200)
    expect((await ask(second.url, '/key', { key: first.key })).status).toBe(200)
    expect((await ask(second.url, '/key', { key: later.key })).status).toBe(401)
  } finally {
    await second.stop()
  }
})

test('a database of a newer version is refused in one line, and not touched', async () => {
  const data = join(directory, 'newer')
  mkdirSync(data)
  copyFileSync(join(backup, 'cheapside.backup'), join(data, 'cheapside.db'))
  const sqlite = debianBinary('sqlite3', 'sqlite3')
  const file = join(data, 'cheapside.db')
  const version = () => Number(execFileSync(sqlite, [file, 'PRAGMA user_version'], { encoding: 'utf8' }))
  const newer = version() + 1
  execFileSync(sqlite, [file, `PRAGMA user_version = ${newer}`])
  const { code, err } = await runCommand(['keys', 'list'], { CHEAPSIDE_DATA: data })
  expect(code).toBe(1)
  expect(err).toMatch(/^cheapside keys list: [^\n]*newer[^\n]*\n$/)
  expect(version()).toBe(newer)
})

test('PostgreSQL: the privileges of the guide are sufficient; a dump is restored into an empty database', async () => {
  // The superuser of the server has the name in the guide. pg_dump refuses newer servers, and the npm package contains only
  // a server.
  const postgres = await startOwnPostgres({ release: 'debian-15' })
  onTestFinished(() => postgres.stop())
  const statements = adapted(blockOf('database.md', 'sql'), { cheapside: 'guide' })
    .split(';')
    .filter((one) => one.trim() !== '')
  for (const statement of [...statements, 'CREATE DATABASE restored OWNER guide'])
    await query(postgres.url, statement)
  const urlOf = (database: string) => `postgres://guide:secret@${new URL(postgres.url).host}/${database}`
  const [url, restored] = [urlOf('guide'), urlOf('restored')]
  const issued = await runCommand(['keys', 'issue', '--name', 'ci'], { DATABASE_URL: url })
  expect(issued).toMatchObject({ err: expect.stringContaining('This is the key'), code: 0 })
  const PATH = `${debianPath('usr/lib/postgresql/15/bin', 'postgresql-15')}:${process.env.PATH}`
  const [save, restore] = blockOf('database.md', 'sh', 'cheapside backup').trim().split('\n')
  rmSync(join(backup, 'cheapside.backup'), { force: true })
  expect(await follow(save!, { PATH, DATABASE_URL: url })).toMatchObject({ code: 0 })
  expect(await follow(restore!, { PATH, DATABASE_URL: restored })).toMatchObject({ code: 0 })
  expect((await runCommand(['keys', 'list'], { DATABASE_URL: restored })).out).toContain(' ci ')
  shell(adapted(blockOf('database.md', 'sh', 'pg_dump'), { '/backup': backup }), { PATH, DATABASE_URL: url })
  expect(statSync(join(backup, 'cheapside.dump')).mode & 0o777).toBe(0o600)
}, 120_000)
