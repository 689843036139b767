import { readFile } from 'node:fs/promises'
import { CommandFailure } from './command.ts'

/** Reads JSON from a file, or from standard input if the file is `-`. `notJson` is the error message for other text. */
export async function readJson(file: string, notJson: string): Promise<unknown> {
  const bytes = await readInput(file)
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    throw new CommandFailure(notJson)
  }
}

export async function readInput(file: string): Promise<Buffer> {
  try {
    if (file !== '-') return await readFile(file)
    return Buffer.concat(await Array.fromAsync(process.stdin as AsyncIterable<Buffer>))
  } catch (error) {
    throw new CommandFailure(`${file} cannot be read: ${fileFault(error)}`)
  }
}

export function fileFault(error: unknown): string {
  const { code = '', message } = error as NodeJS.ErrnoException
  const faults: Record<string, string> = {
    ENOENT: 'there is no such file or directory',
    EACCES: 'this user has no permission',
    EISDIR: 'it is a directory',
    ENOTDIR: 'a part of its path is not a directory',
    ENOSPC: 'the disk is full',
  }
  return faults[code] ?? message
}
