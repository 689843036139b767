import { readdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join, sep } from 'node:path'
import sea from 'node:sea'

/**
 * Files that are shipped with the program: next to it in a clone or a package, or inside it if it is a single executable.
 * The path of a file inside the executable begins with a prefix that no file name has.
 */
const root = () => join(import.meta.dirname, '../..')
const insideExecutable = 'executable:'

/** The path of a file that is shipped with the program, for the functions below. */
export const programFile = (path: string): string =>
  sea.isSea() ? insideExecutable + path : join(root(), ...path.split('/'))

/** How to run this program: a clone has the sources, and no installed command. */
export const programCommand = import.meta.url.endsWith('.ts') ? 'npx cheapside' : 'cheapside'

export async function readAnyFile(file: string): Promise<Buffer> {
  return file.startsWith(insideExecutable) ? assetOf(file) : readFile(file)
}

export function readAnyFileSync(file: string): Buffer {
  return file.startsWith(insideExecutable) ? assetOf(file) : readFileSync(file)
}

/** Paths of all files below a directory, relative to it, with forward slashes. Empty if there is no such directory. */
export function listFiles(directory: string): string[] {
  if (directory.startsWith(insideExecutable)) {
    const prefix = `${directory.slice(insideExecutable.length)}/`
    const below = sea.getAssetKeys().filter((key) => key.startsWith(prefix))
    return below.map((key) => key.slice(prefix.length))
  }
  try {
    return readdirSync(directory, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(directory.length + 1))
      .map((path) => path.split(sep).join('/'))
  } catch {
    return []
  }
}

function assetOf(file: string): Buffer {
  return Buffer.from(sea.getAsset(file.slice(insideExecutable.length)))
}
