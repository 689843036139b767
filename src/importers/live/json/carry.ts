import { NotJson } from './not-json.ts'

const mostBytes = 32 * 1024 * 1024

/** The pieces of one value that began in an earlier chunk. */
export class Carry {
  #pieces: Buffer[] = []
  #bytes = 0

  /** Keeps a copy of the rest of a chunk. */
  hold(chunk: Buffer, start: number): void {
    this.#bytes += chunk.length - start
    if (this.#bytes > mostBytes) throw new NotJson(`a value is larger than ${mostBytes} bytes`)
    this.#pieces.push(Buffer.from(chunk.subarray(start)))
  }

  /** The whole value, of which the last piece lies in a chunk; then nothing is held. */
  joined(chunk: Buffer, start: number, after: number): Buffer {
    const last = chunk.subarray(start, after)
    if (this.#pieces.length === 0) return last
    const all = Buffer.concat([...this.#pieces, last])
    this.#pieces = []
    this.#bytes = 0
    return all
  }
}
