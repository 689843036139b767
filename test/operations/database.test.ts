import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { debianBinary } from '../peers/debian-binary.ts'
import { ask, eventually, runCommand, startService } from '../service.ts'
import { startDebianPostgres } from './debian-postgres.ts'
import { adapted, blockOf } from './pages.ts'

const folder = mkdtempSync(join(tmpdir(), 'cheapside-backup-'))
const backup = join(folder, 'backup')
mkdirSync(backup, { mode: 0o777 })
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const shell = (commands: string, env: Record<string, string> = {}) =>
  execFileSync('sh', ['-ec', commands], { env: { PATH: process.env.PATH, ...env }, stdio: 'pipe' })

test('the embedded database: saved while the service runs, and back again', async () => {
  const data = join(folder, 'data')
  const first = await startService({ folder: data })
  const places = { '/var/lib/cheapside': data, '/backup': backup }
  const save = adapted(blockOf('database.md', 'sh', '.backup'), places)
  shell(save.replace('sqlite3', debianBinary('sqlite3', 'sqlite3')))
  const body = { organisation: 'acme', name: 'after the backup', scopes: ['pricing:read'] }
  const later = (await first.request('/admin/keys', { body })).json
  await first.kill()
  shell(adapted(blockOf('database.md', 'sh', 'install -m 600'), places))
  const second = await startService({ folder: data, withoutKey: true })
  try {
    await eventually(async () => (await ask(second.url, '/readyz')).status === 200)
    expect((await ask(second.url, '/key', { key: first.key })).status).toBe(200)
    expect((await ask(second.url, '/key', { key: later.key })).status).toBe(401)
  } finally {
    await second.stop()
  }
})

test('a database of a newer version is refused in one line, and not touched', async () => {
  const data = join(folder, 'newer')
  mkdirSync(data)
  copyFileSync(join(backup, 'cheapside.db'), join(data, 'cheapside.db'))
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

describe('PostgreSQL', () => {
  test('the rights of the guide are enough; a dump goes into an empty database', async () => {
    const postgres = await startDebianPostgres()
    try {
      postgres.sql(blockOf('database.md', 'sql'))
      const url = postgres.urlOf('cheapside', 'secret', 'cheapside')
      const issued = await runCommand(['keys', 'issue', '--name', 'ci'], { DATABASE_URL: url })
      expect(issued.out).toMatch(/^csk_/)
      const tools = { PATH: `${postgres.bin}:${process.env.PATH}` }
      const places = { '/backup': backup }
      shell(adapted(blockOf('database.md', 'sh', 'pg_dump'), places), { ...tools, DATABASE_URL: url })
      postgres.sql('CREATE DATABASE restored OWNER cheapside')
      const restored = postgres.urlOf('cheapside', 'secret', 'restored')
      shell(adapted(blockOf('database.md', 'sh', 'pg_restore'), places), { ...tools, DATABASE_URL: restored })
      expect((await runCommand(['keys', 'list'], { DATABASE_URL: restored })).out).toContain(' ci ')
    } finally {
      postgres.stop()
    }
  }, 120_000)
})
