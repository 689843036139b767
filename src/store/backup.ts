import { closeSync, fsyncSync, linkSync, openSync, readSync, renameSync, rmSync, statSync } from 'node:fs'
import type { StoreAddress } from './open.ts'
import { StoreUnusable } from './port.ts'
import type { PostgresServer } from './postgres/backup.ts'
import { createPrivateFile } from './sqlite/directory.ts'

/** Everything that was acknowledged before the call. Services may use the database meanwhile. Returns the size. */
export async function backUpStore(at: BackupAddress, file: string, replaces: boolean): Promise<number> {
  if (!replaces && statSync(file, { throwIfNoEntry: false }) !== undefined) throw existing(file)
  const partial = `${file}.partial-${process.pid}`
  const remove = () => {
    for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(partial + suffix, { force: true })
  }
  const stop = (signal: NodeJS.Signals) => {
    remove()
    process.kill(process.pid, signal)
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, stop)
  try {
    createPrivateFile(partial)
    if ((at.databaseUrl ?? '') === '') {
      const { backUp } = await import('./sqlite/backup.ts')
      await backUp(at.dataDirectory, partial)
    } else {
      const { backUp } = await import('./postgres/backup.ts')
      await backUp(serverOf(at), partial)
    }
    sync(partial)
    if (replaces) renameSync(partial, file)
    else linkSync(partial, file)
    return statSync(file).size
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') throw existing(file)
    throw code === undefined ? error : new StoreUnusable(`${file} cannot be written: ${message}`)
  } finally {
    remove()
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.off(signal, stop)
  }
}

type BackupAddress = StoreAddress & Pick<PostgresServer, 'environment'>

const serverOf = ({ databaseUrl = '', environment }: BackupAddress): PostgresServer => ({
  url: databaseUrl,
  environment,
})

const existing = (file: string) => new StoreUnusable(`${file} exists already; --force replaces it`)

/** Replaces the content of a database that no service uses. If it fails, the database stays as it was. */
export async function restoreStore(at: BackupAddress, file: string, replaces: boolean): Promise<void> {
  const isPostgres = (at.databaseUrl ?? '') !== ''
  const kind = kindOf(file)
  if (kind === undefined) throw new StoreUnusable(`${file} is not a backup of Cheapside`)
  if (kind === 'PostgreSQL' && !isPostgres)
    throw new StoreUnusable(`${file} is a backup of PostgreSQL: set DATABASE_URL to the database to restore`)
  if (kind === 'SQLite' && isPostgres)
    throw new StoreUnusable(
      `${file} is a backup of an embedded database, but DATABASE_URL names a database of PostgreSQL`,
    )
  if (isPostgres) {
    const { restore } = await import('./postgres/backup.ts')
    return restore(serverOf(at), file, replaces)
  }
  const { restore } = await import('./sqlite/backup.ts')
  return restore(at.dataDirectory, file, replaces)
}

function kindOf(file: string): 'PostgreSQL' | 'SQLite' | undefined {
  const first = Buffer.alloc(16)
  try {
    const descriptor = openSync(file, 'r')
    readSync(descriptor, first, 0, first.length, 0)
    closeSync(descriptor)
  } catch (error) {
    throw new StoreUnusable(`${file} cannot be read: ${(error as Error).message}`)
  }
  if (first.toString('latin1', 0, 5) === 'PGDMP') return 'PostgreSQL'
  return first.toString('latin1') === 'SQLite format 3\0' ? 'SQLite' : undefined
}

function sync(file: string): void {
  const descriptor = openSync(file, 'r+')
  fsyncSync(descriptor)
  closeSync(descriptor)
}
