import { createWriteStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Problem } from '../domain/problem.ts'

/** Request bodies that are too large for memory, in files that only this user can read. */
export class SpooledBodies {
  readonly #directory: string
  readonly #maxBytes: number
  #isBusy = false

  constructor(dataDirectory: string, maxBytes: number) {
    this.#directory = join(dataDirectory, 'uploads')
    this.#maxBytes = maxBytes
  }

  /** Removes what a process that was killed has left. */
  async clear(): Promise<void> {
    await rm(this.#directory, { recursive: true, force: true })
  }

  /** Calls `use` with the file of the body, and removes it afterwards. One body is on the disk at a time. */
  async withFile<Result>(body: Readable, use: (file: string) => Promise<Result>): Promise<Result> {
    if (this.#isBusy)
      throw new Problem('busy', 'Another file is being read; try again.', { retryAfterSeconds: 5 })
    this.#isBusy = true
    const file = join(this.#directory, crypto.randomUUID())
    try {
      await mkdir(this.#directory, { recursive: true, mode: 0o700 })
      await pipeline(body, this.#counted(), createWriteStream(file, { mode: 0o600, flags: 'wx' }))
      return await use(file)
    } finally {
      this.#isBusy = false
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
