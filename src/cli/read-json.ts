import { readFile } from 'node:fs/promises'
import { CommandFailure } from './command.ts'

/** A file's JSON, or that of standard input where the file is -. `notJson` is the message for any other text. */
export async function readJson(file: string, notJson: string): Promise<unknown> {
  let text: string
  try {
    text = file === '-' ? await readAll(process.stdin) : await readFile(file, 'utf8')
  } catch (error) {
    throw new CommandFailure(`${file} cannot be read: ${(error as Error).message}`)
  }
  try {
    return JSON.parse(text)
  } catch {
    throw new CommandFailure(notJson)
  }
}

async function readAll(stream: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}
