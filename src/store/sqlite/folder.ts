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

/** The data folder cannot be used as it is; the message is fit for the operator. */
export class DataFolderError extends Error {
  override readonly name: string = 'DataFolderError'
}

/** Makes the folder where it is missing, and proves that files can be written in it. */
export function prepareFolder(folder: string): void {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === false) {
    throw new DataFolderError(`The data folder ${folder} is not a folder but a file`)
  }
  attempt(`The data folder ${folder} cannot be created`, () => createFolder(folder))
  attempt(`The data folder ${folder} cannot be written to`, () => probe(folder))
}

/** What the operator should know of the folder, in one line; undefined if it is closed to other users. */
export function warningAboutFolder(folder: string): string | undefined {
  const mode = statSync(folder).mode & 0o777
  if ((mode & 0o077) === 0) return undefined
  return `The data folder ${folder} is open to other users of this machine (mode 0${mode.toString(8)}); close it with chmod 700`
}

/**
 * Writes a file that only its owner may read in the place of whatever bears the name. A link there is replaced, never followed.
 */
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

/** A new file that only its owner may read; an existing one stays as it is. */
export function createPrivateFile(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

/** Each new folder's name reaches the disk too, else a power loss could take the database with it. */
function createFolder(folder: string): void {
  // Not mkdir's `recursive`: it never returns below /proc, where a missing parent cannot be made.
  const parent = dirname(resolve(folder))
  if (existsSync(folder)) return
  createFolder(parent)
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  // Windows opens no folder as a file.
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
