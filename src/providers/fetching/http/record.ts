import { createWriteStream, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'
import { createGzip } from 'node:zlib'

/** Called for every answer. Returns the same bytes, which it records while they are read. */
export type RecordAnswer = (
  url: string,
  response: Response,
  chunks: AsyncIterable<Uint8Array>,
) => AsyncIterable<Uint8Array>

/**
 * Records what servers answer, for a report of a list that cannot be read: NNN-HOST.json with the address, status and
 * headers of each answer, and NNN-HOST.body.gz with its body. Requests are not recorded, so no credential is.
 */
export function recordInto(directory: string): RecordAnswer {
  mkdirSync(directory, { recursive: true })
  let count = 0
  return async function* recorded(url, { status, headers }, chunks) {
    const name = `${String(++count).padStart(3, '0')}-${new URL(url).hostname}`
    const { 'set-cookie': _, ...shown } = Object.fromEntries(headers)
    const answer = { url, status, headers: shown, body: `${name}.body.gz` }
    writeFileSync(join(directory, `${name}.json`), `${JSON.stringify(answer, null, 2)}\n`)
    const gzip = createGzip()
    const file = gzip.pipe(createWriteStream(join(directory, answer.body)))
    try {
      for await (const chunk of chunks) {
        if (!gzip.write(chunk)) await new Promise((resolve) => gzip.once('drain', resolve))
        yield chunk
      }
    } finally {
      gzip.end()
      await finished(file)
    }
  }
}
