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

/** The data directory cannot be used as it is. The message is written for the operator. */
export class DataDirectoryError extends Error {
  override readonly name: string = 'DataDirectoryError'
}

/** Creates the directory if it is missing, and verifies that files can be written to it. */
export function prepareDirectory(directory: string): void {
  if (statSync(directory, { throwIfNoEntry: false })?.isDirectory() === false) {
    throw new DataDirectoryError(`The data directory ${directory} is a file, not a directory`)
  }
  attempt(`The data directory ${directory} cannot be created`, () => createDirectory(directory))
  attempt(`The data directory ${directory} cannot be written to`, () => probe(directory))
}

/** Returns a one-line warning for the operator, or undefined if other users have no access to the directory. */
export function warningAboutDirectory(directory: string): string | undefined {
  const mode = statSync(directory).mode & 0o777
  if ((mode & 0o077) === 0) return undefined
  return `The data directory ${directory} is accessible to other users of this machine (mode 0${mode.toString(8)}); restrict it with chmod 700`
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

/** The parent of each new directory is synced too: a power loss could remove the database with its directory. */
function createDirectory(directory: string): void {
  // mkdir's `recursive` is not used: it never returns below /proc, where a missing parent cannot be created.
  const parent = dirname(resolve(directory))
  if (existsSync(directory)) return
  createDirectory(parent)
  try {
    mkdirSync(directory, { mode: 0o700 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  // Windows cannot open a directory as a file.
  if (process.platform === 'win32') return
  const descriptor = openSync(parent, 'r')
  fsyncSync(descriptor)
  closeSync(descriptor)
}

function probe(directory: string): void {
  const file = join(directory, `.writable-${process.pid}-${crypto.randomUUID()}`)
  closeSync(openSync(file, 'wx', 0o600))
  rmSync(file)
}

function attempt(failure: string, work: () => void): void {
  try {
    work()
  } catch (cause) {
    throw new DataDirectoryError(`${failure}: ${(cause as Error).message}`, { cause })
  }
}
