import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { sqliteCode, sqliteCodes } from './errors.ts'
import { createPrivateFile, DataFolderError, prepareFolder, replacePrivateFile } from './folder.ts'

export interface FolderLock {
  release(): void
}

/**
 * Locks are referenced here until they are released: SQLite drops a lock with its connection, and a connection without
 * references is garbage-collected, whether or not the caller keeps the returned object.
 */
const held = new Set<DatabaseSync>()

/** Another `serve` uses the data folder. */
export class DataFolderInUse extends DataFolderError {
  override readonly name = 'DataFolderInUse'
}

/**
 * Reserves a data folder for one `serve`. The lock is SQLite's own, on a separate file: the operating system releases
 * it when the process ends, however that happens, so a pid file left behind does not matter.
 */
export function lockFolder(folder: string): FolderLock {
  prepareFolder(folder)
  const lockFile = join(folder, 'serve.lock')
  const pidFile = join(folder, 'serve.pid')
  const db = openLockFile(lockFile, folder)
  try {
    db.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')
    replacePrivateFile(pidFile, `${process.pid}\n`)
  } catch (cause) {
    db.close()
    const code = sqliteCode(cause)
    if (code === sqliteCodes.busy || code === sqliteCodes.locked) {
      throw new DataFolderInUse(`The data folder ${folder} is already in use by ${holderIn(pidFile)}`, {
        cause,
      })
    }
    throw new DataFolderError(`The data folder ${folder} cannot be locked: ${(cause as Error).message}`, {
      cause,
    })
  }
  held.add(db)
  return {
    release() {
      if (!held.delete(db)) return
      rmSync(pidFile, { force: true })
      db.close()
    },
  }
}

function openLockFile(lockFile: string, folder: string): DatabaseSync {
  try {
    createPrivateFile(lockFile)
    return new DatabaseSync(lockFile, { timeout: 0 })
  } catch (cause) {
    throw new DataFolderError(`The data folder ${folder} cannot be locked: ${(cause as Error).message}`, {
      cause,
    })
  }
}

/**
 * A server that just started may not have written its pid yet. The file may then contain the pid of an earlier server
 * that was killed.
 */
function holderIn(pidFile: string): string {
  try {
    const pid = Number.parseInt(readFileSync(pidFile, 'utf8'), 10)
    return pid > 0 && isAlive(pid) ? `process ${pid}` : 'another process'
  } catch {
    return 'another process'
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
