import { execFileSync, spawnSync } from 'node:child_process'
import { chownSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runAs } from '../peers/postgres-binaries.ts'
import { freePort } from './proxy.ts'

/** Debian's PostgreSQL, with its own dump and restore, which take no server newer than themselves. */
export interface DebianPostgres {
  readonly bin: string
  urlOf(user: string, password: string, database: string): string
  /** As the superuser. */
  sql(statements: string): void
  stop(): void
}

export async function startDebianPostgres(): Promise<DebianPostgres> {
  const bin = debianFolder()
  const folder = mkdtempSync(join(tmpdir(), 'cheapside-postgres-'))
  if (runAs.uid !== undefined) chownSync(folder, runAs.uid, runAs.gid!)
  const data = join(folder, 'data')
  const port = await freePort()
  const run = (name: string, words: string[]) =>
    execFileSync(join(bin, name), words, { ...runAs, cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] })
  run('initdb', [
    '-D',
    data,
    '-U',
    'postgres',
    '--auth-local=trust',
    '--auth-host=scram-sha-256',
    '-E',
    'UTF8',
  ])
  const flags = `-p ${port} -k ${folder} -h 127.0.0.1 -F`
  run('pg_ctl', ['-D', data, '-w', '-l', join(folder, 'log'), '-o', flags, 'start'])
  return {
    bin,
    urlOf: (user, password, database) => `postgres://${user}:${password}@127.0.0.1:${port}/${database}`,
    sql(statements) {
      for (const statement of statements.split(';').filter((one) => one.trim() !== ''))
        run('psql', [
          '-h',
          folder,
          '-p',
          String(port),
          '-U',
          'postgres',
          '-v',
          'ON_ERROR_STOP=1',
          '-c',
          statement,
        ])
    },
    stop() {
      run('pg_ctl', ['-D', data, '-m', 'immediate', 'stop'])
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function debianFolder(): string {
  const root = '/usr/lib/postgresql'
  const found = spawnSync('ls', [root]).status === 0 ? readdirSync(root).sort().at(-1) : undefined
  if (found === undefined) throw new Error('No pg_dump to test with: install the Debian package postgresql')
  return join(root, found, 'bin')
}
