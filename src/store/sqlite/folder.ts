import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'

/** The data folder cannot be used as it is. The message is written for the operator. */
export class DataFolderError extends Error {
  override readonly name: string = 'DataFolderError'
}

/** Creates the folder if it is missing, and verifies that files can be written to it. */
export function prepareFolder(folder: string): void {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === false) {
    throw new DataFolderError(`The data folder ${folder} is a file, not a folder`)
  }
  attempt(`The data folder ${folder} cannot be created`, () => createFolder(folder))
  attempt(`The data folder ${folder} cannot be written to`, () => probe(folder))
}

/** Returns a one-line warning for the operator, or undefined if other users have no access to the folder. */
export function warningAboutFolder(folder: string): string | undefined {
  const mode = statSync(folder).mode & 0o777
  if ((mode & 0o077) === 0) return undefined
  return `The data folder ${folder} is accessible to other users of this machine (mode 0${mode.toString(8)}); restrict it with chmod 700`
}

/** Atomically replaces a file by one that only its owner may read. A symbolic link is replaced, never followed. */
export function replacePrivateFile(file: string, content: string): void {
  const fresh = `${file}-${process.pid}-${crypto.randomUUID()}`
  try {
    writeFileSync(fresh, content, { flag: 'wx', mode: 0o600 })
    renameSync(fresh, file)
  } catch (error) {
    rmSync(fresh, { force: true })
    throw error
  }
}

/** Creates an empty file that only its owner may read; an existing one stays as it is. */
export function createPrivateFile(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

/**
 * The parent of each new folder is synced as well, otherwise a power loss could remove the database with its folder.
 */
function createFolder(folder: string): void {
  // mkdir's `recursive` is not used: it never returns below /proc, where a missing parent cannot be created.
  const parent = dirname(resolve(folder))
  if (existsSync(folder)) return
  createFolder(parent)
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  // Windows cannot open a folder as a file.
  if (process.platform === 'win32') return
  const descriptor = openSync(parent, 'r')
  fsyncSync(descriptor)
  closeSync(descriptor)
}

function probe(folder: string): void {
  const file = join(folder, `.writable-${process.pid}-${crypto.randomUUID()}`)
  closeSync(openSync(file, 'wx', 0o600))
  rmSync(file)
}

function attempt(failure: string, work: () => void): void {
  try {
    work()
  } catch (cause) {
    throw new DataFolderError(`${failure}: ${(cause as Error).message}`, { cause })
  }
}
