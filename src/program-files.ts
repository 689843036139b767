import { readdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join, sep } from 'node:path'
import sea from 'node:sea'

/**
 * Files that come with the program: beside it in a clone or a package, inside it where it is a single executable. There a
 * path begins with a word that no file name begins with.
 */
const root = () => join(import.meta.dirname, '..')
const insideExecutable = 'executable:'

/** The path of a file that comes with the program, to be read by the functions below. */
export const programFile = (path: string): string =>
  sea.isSea() ? insideExecutable + path : join(root(), ...path.split('/'))

/** Any file; one that comes with the program is read from where it is. */
export async function readAnyFile(file: string): Promise<Buffer> {
  return file.startsWith(insideExecutable) ? assetOf(file) : readFile(file)
}

export function readAnyFileSync(file: string): Buffer {
  return file.startsWith(insideExecutable) ? assetOf(file) : readFileSync(file)
}

/** Paths of all files below a folder, relative to it, with forward slashes; none where there is no such folder. */
export function listFiles(folder: string): string[] {
  if (folder.startsWith(insideExecutable)) {
    const prefix = `${folder.slice(insideExecutable.length)}/`
    const below = sea.getAssetKeys().filter((key) => key.startsWith(prefix))
    return below.map((key) => key.slice(prefix.length))
  }
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
      .map((path) => path.split(sep).join('/'))
  } catch {
    return []
  }
}

function assetOf(file: string): Buffer {
  return Buffer.from(sea.getAsset(file.slice(insideExecutable.length)))
}
