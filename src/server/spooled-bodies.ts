import { createWriteStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Problem } from '../domain/problem.ts'

/** A slow body of one organisation keeps no other one waiting. */
const maxSenders = 2

/** Request bodies that are too large for memory, in files that only this user can read. */
export class SpooledBodies {
  readonly #directory: string
  readonly #maxBytes: number
  readonly #senders = new Set<string>()

  constructor(dataDirectory: string, maxBytes: number) {
    this.#directory = join(dataDirectory, 'uploads')
    this.#maxBytes = maxBytes
  }

  /** Removes what a process that was killed has left. */
  async clear(): Promise<void> {
    await rm(this.#directory, { recursive: true, force: true })
  }

  /** Calls `use` with the file of the body, and removes it afterwards. One of each organisation is on the disk at a time. */
  async withFile<Result>(
    organisation: string,
    body: Readable,
    use: (file: string) => Promise<Result>,
  ): Promise<Result> {
    if (this.#senders.has(organisation) || this.#senders.size >= maxSenders)
      throw new Problem('busy', 'Another file is being read; try again.', { retryAfterSeconds: 5 })
    this.#senders.add(organisation)
    const file = join(this.#directory, crypto.randomUUID())
    try {
      await mkdir(this.#directory, { recursive: true, mode: 0o700 })
      await pipeline(body, this.#counted(), createWriteStream(file, { mode: 0o600, flags: 'wx' }))
      return await use(file)
    } finally {
      this.#senders.delete(organisation)
      await rm(file, { force: true })
    }
  }

  #counted() {
    const maxBytes = this.#maxBytes
    return async function* (pieces: AsyncIterable<Uint8Array>) {
      let bytes = 0
      for await (const piece of pieces) {
        bytes += piece.length
        if (bytes > maxBytes)
          throw new Problem('body-too-large', 'The file is larger than this endpoint accepts.')
        yield piece
      }
    }
  }
}
