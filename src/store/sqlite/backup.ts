import { chownSync, copyFileSync, existsSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { backup, DatabaseSync } from 'node:sqlite'
import { StoreUnusable } from '../port.ts'
import { createPrivateFile } from './directory.ts'
import { lockDirectory } from './directory-lock.ts'
import { sqliteCode } from './errors.ts'
import { refuseNewer, versionOf } from './migrations.ts'
import { databaseFile } from './store.ts'

/** All pages at once: with fewer, every write of another process would start the copy again. */
const allPages = 2 ** 31 - 1

/** Copies the database to an empty file, with everything that was committed before, also while a service writes to it. */
export async function backUp(directory: string, file: string): Promise<void> {
  const source = join(directory, databaseFile)
  if (!existsSync(source))
    throw new StoreUnusable(
      `There is no database in ${directory}; --data names the data directory of a service`,
    )
  const db = new DatabaseSync(source)
  try {
    await backup(db, file, { rate: allPages })
  } finally {
    db.close()
  }
  inOneFile(file)
}

/** Replaces the database of a data directory that no service uses. If it fails, the previous database stays. */
export async function restore(directory: string, file: string, replaces: boolean): Promise<void> {
  const lock = lockDirectory(directory)
  const target = join(directory, databaseFile)
  const fresh = `${target}-restored-${process.pid}`
  try {
    if (!replaces && existsSync(target))
      throw new StoreUnusable(`${directory} has a database already; --force replaces it`)
    createPrivateFile(fresh)
    copyFileSync(file, fresh)
    check(fresh, file)
    const { uid, gid } = statSync(directory)
    if (process.getuid?.() === 0) chownSync(fresh, uid, gid)
    if (existsSync(target)) closeOthers(target, directory)
    // What a log of the old database contains must not be applied to the new one.
    for (const suffix of ['-wal', '-shm']) rmSync(target + suffix, { force: true })
    renameSync(fresh, target)
  } finally {
    for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(fresh + suffix, { force: true })
    lock.release()
  }
}

/** Throws StoreUnusable unless the copy is a complete database of Cheapside that this release can read. */
function check(copy: string, file: string): void {
  try {
    inOneFile(copy)
    const db = new DatabaseSync(copy)
    try {
      refuseNewer(versionOf(db), file)
      const [result] = db.prepare('PRAGMA quick_check').all()
      const isOurs = db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'api_keys'").get() !== undefined
      if (result?.quick_check !== 'ok' || !isOurs)
        throw new StoreUnusable(`${file} is not a whole backup of Cheapside`)
    } finally {
      db.close()
    }
  } catch (error) {
    throw sqliteCode(error) === 0
      ? error
      : new StoreUnusable(`${file} is not a whole backup of Cheapside: ${(error as Error).message}`)
  }
}

function inOneFile(file: string): void {
  const db = new DatabaseSync(file)
  try {
    db.exec('PRAGMA journal_mode = DELETE')
  } finally {
    db.close()
  }
}

/** Only one process may have the database open. A database that cannot be read any more is not open. */
function closeOthers(target: string, directory: string): void {
  try {
    inOneFile(target)
  } catch (error) {
    if (/locked|busy/.test((error as Error).message))
      throw new StoreUnusable(`Another process uses the database in ${directory}; stop it first`)
  }
}
