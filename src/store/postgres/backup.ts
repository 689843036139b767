import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { StoreUnusable } from '../port.ts'
import { type Database, openDatabase } from './database.ts'
import { refuseNewer } from './migrations.ts'

export interface PostgresServer {
  readonly url: string
  /** For the programs, which are found in its PATH. */
  readonly environment: Readonly<Record<string, string | undefined>>
}

/** Writes an empty file with pg_dump, which reads one state of the database while services write to it. */
export async function backUp(server: PostgresServer, file: string): Promise<void> {
  const output = openSync(file, 'w')
  try {
    await succeeded(runTool('pg_dump', server, ['--format=custom', ...portable], output))
  } finally {
    closeSync(output)
  }
}

/** Replaces all tables in one transaction while no service is connected. If it fails, the previous ones stay. */
export async function restore(server: PostgresServer, file: string, replaces: boolean): Promise<void> {
  refuseNewer(await versionIn(server, file), file)
  const db = openDatabase({ url: server.url, poolSize: 1 })
  try {
    await refuseIfInUse(db)
    const [found] = await db.rows("SELECT 1 FROM pg_class WHERE oid = to_regclass('schema_versions')")
    if (!replaces && found !== undefined)
      throw new StoreUnusable('The database has tables of Cheapside already; --force replaces them')
  } finally {
    await db.close()
  }
  const psql = runTool('psql', server, [
    '--no-psqlrc',
    '--quiet',
    '--single-transaction',
    '--set=ON_ERROR_STOP=1',
    '--file=-',
  ])
  // It may end before it has read everything; the reason is in its output.
  psql.child.stdin!.on('error', () => {})
  psql.child.stdin!.write(dropTables)
  const script = runTool('pg_restore', { ...server, url: '' }, [...portable, '--file=-', file])
  script.child.stdout!.pipe(psql.child.stdin!, { end: false })
  // Only a whole script may be committed: psql commits at the end of its input.
  script.done.then(
    () => psql.child.stdin!.end(),
    () => psql.child.kill(),
  )
  psql.done.catch(() => script.child.kill())
  await Promise.all([succeeded(script), succeeded(psql)])
}

/** The owner and the rights of tables are those of the user who restores. */
const portable = ['--no-owner', '--no-privileges']

const dropTables = `SET statement_timeout = 0;
DO $$ DECLARE name regclass; BEGIN
  FOR name IN SELECT oid FROM pg_class WHERE relkind IN ('r', 'p') AND NOT relispartition
    AND relnamespace = current_schema()::regnamespace AND pg_has_role(relowner, 'USAGE')
  LOOP EXECUTE format('DROP TABLE %s CASCADE', name); END LOOP;
END $$;
`

/** The version of the schema in a backup. */
async function versionIn(server: PostgresServer, file: string): Promise<number> {
  const tool = runTool('pg_restore', { ...server, url: '' }, [
    '--data-only',
    '--table=schema_versions',
    '--file=-',
    file,
  ])
  const [sql] = await Promise.all([text(tool.child.stdout!), succeeded(tool)])
  const versions = [...sql.matchAll(/^(\d+)\t/gm)].map(([, version]) => Number(version))
  if (versions.length === 0) throw new StoreUnusable(`${file} is not a backup of Cheapside`)
  return Math.max(...versions)
}

async function refuseIfInUse(db: Database): Promise<void> {
  const [others] = await db.rows<{ count: number }>(
    `SELECT count(*)::integer AS count FROM pg_stat_activity
     WHERE datname = current_database() AND application_name = 'cheapside' AND pid <> pg_backend_pid()`,
  )
  if (others!.count > 0) throw new StoreUnusable('A service uses the database; stop every node first')
}

interface Tool {
  readonly name: string
  readonly child: ReturnType<typeof spawn>
  /** Resolves when it has ended with success, otherwise rejects. */
  readonly done: Promise<void>
}

/** Starts a program of PostgreSQL. The password is passed in the environment, because other users see the arguments. */
function runTool(
  name: string,
  { url, environment }: PostgresServer,
  args: readonly string[],
  output: 'pipe' | number = 'pipe',
): Tool {
  const { address, password } = url === '' ? {} : libpqAddress(url)
  const child = spawn(name, [...args, ...(address === undefined ? [] : [`--dbname=${address}`])], {
    stdio: ['pipe', output, 'pipe'],
    env: { ...environment, ...(password === undefined ? {} : { PGPASSWORD: password }) },
  })
  let errors = ''
  child.stderr!.on('data', (chunk: Buffer) => {
    errors = (errors + chunk).slice(-maxErrorChars)
  })
  const failed = once(child, 'error').then(([error]) => {
    throw new StoreUnusable(
      error.code === 'ENOENT'
        ? `${name} is not installed; it is part of the client programs of PostgreSQL (Debian: apt-get install postgresql-client)`
        : `${name} cannot be started: ${error.message}`,
    )
  })
  const closed = once(child, 'close').then(([code]) => {
    if (code !== 0) throw new StoreUnusable(errors.trim().split('\n')[0] || `${name} was stopped`)
  })
  failed.catch(() => {})
  const done = Promise.race([failed, closed])
  done.catch(() => {})
  return { name, child, done }
}

const maxErrorChars = 4000

const succeeded = ({ done }: Tool): Promise<void> => done

/** libpq does not verify certificates with the modes with which a node verifies them, and does not know its own. */
function libpqAddress(url: string): { address: string; password?: string } {
  const address = new URL(url)
  const password = decodeURIComponent(address.password)
  address.password = ''
  const mode = address.searchParams.get('sslmode')
  if (mode === 'no-verify') address.searchParams.set('sslmode', 'require')
  if (mode === 'require' || mode === 'verify-ca') address.searchParams.set('sslmode', 'verify-full')
  return { address: address.href, ...(password === '' ? {} : { password }) }
}
