import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { createPrivateFile, DataDirectoryError, prepareDirectory, replacePrivateFile } from './directory.ts'
import { sqliteCode, sqliteCodes } from './errors.ts'

export type DirectoryLock = { release(): void }

/**
 * Locks are referenced here until they are released: SQLite drops a lock with its connection, and a connection without
 * references is garbage-collected, whether or not the caller keeps the returned object.
 */
const held = new Set<DatabaseSync>()

/** Another `serve` uses the data directory. */
export class DataDirectoryInUse extends DataDirectoryError {
  override readonly name = 'DataDirectoryInUse'
}

/**
 * Reserves a data directory for one `serve`. The lock is SQLite's own, on a separate file: the operating system releases
 * it when the process ends, however that happens, so a pid file left behind does not matter.
 */
export function lockDirectory(directory: string): DirectoryLock {
  prepareDirectory(directory)
  const lockFile = join(directory, 'serve.lock')
  const pidFile = join(directory, 'serve.pid')
  const db = openLockFile(lockFile, directory)
  try {
    db.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')
    replacePrivateFile(pidFile, `${process.pid}\n`)
  } catch (cause) {
    db.close()
    const code = sqliteCode(cause)
    if (code === sqliteCodes.busy || code === sqliteCodes.locked) {
      throw new DataDirectoryInUse(
        `The data directory ${directory} is already in use by ${holderIn(pidFile)}`,
        {
          cause,
        },
      )
    }
    throw new DataDirectoryError(
      `The data directory ${directory} cannot be locked: ${(cause as Error).message}`,
      {
        cause,
      },
    )
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

function openLockFile(lockFile: string, directory: string): DatabaseSync {
  try {
    createPrivateFile(lockFile)
    return new DatabaseSync(lockFile, { timeout: 0 })
  } catch (cause) {
    throw new DataDirectoryError(
      `The data directory ${directory} cannot be locked: ${(cause as Error).message}`,
      {
        cause,
      },
    )
  }
}

/** A server that just started may not have written its pid yet: it may be that of an earlier one that was killed. */
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
