import { readFile } from 'node:fs/promises'
import { CommandFailure } from './command.ts'

/** A file's JSON, or that of standard input where the file is -. `notJson` is the message for any other text. */
export async function readJson(file: string, notJson: string): Promise<unknown> {
  const bytes = await readInput(file)
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    throw new CommandFailure(notJson)
  }
}

/** The bytes of a file, or of standard input where the file is -. */
export async function readInput(file: string): Promise<Buffer> {
  try {
    if (file !== '-') return await readFile(file)
    return Buffer.concat(await Array.fromAsync(process.stdin as AsyncIterable<Buffer>))
  } catch (error) {
    throw new CommandFailure(`${file} cannot be read: ${(error as Error).message}`)
  }
}
