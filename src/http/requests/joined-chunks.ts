import { pipeline, Transform, type TransformCallback } from 'node:stream'
import type { FastifyRequest, preParsingHookHandler } from 'fastify'

const pieceBytes = 64 * 1024

/**
 * Hands large bodies on in pieces of 64 KiB. A chunk of one byte costs a hundred and more until the body is whole, so a
 * client that sends nothing but such chunks would make gigabytes of a body within its limit.
 */
export const joinChunks: preParsingHookHandler = (request, _reply, payload, done) => {
  if (isSmall(request)) {
    done()
    return
  }
  const joined = new JoinedChunks()
  // An error also ends the joined stream, and its reader reports it.
  pipeline(payload, joined, () => {})
  done(null, joined as never)
}

function isSmall({ headers }: FastifyRequest): boolean {
  if (headers['transfer-encoding'] !== undefined) return false
  return Number(headers['content-length'] ?? 0) <= pieceBytes
}

class JoinedChunks extends Transform {
  #piece = Buffer.allocUnsafeSlow(pieceBytes)
  #filled = 0

  override _transform(chunk: Buffer, _encoding: string, done: TransformCallback): void {
    for (let from = 0; from < chunk.length; ) {
      const copied = chunk.copy(this.#piece, this.#filled, from)
      from += copied
      this.#filled += copied
      if (this.#filled === pieceBytes) {
        this.push(this.#piece)
        this.#piece = Buffer.allocUnsafeSlow(pieceBytes)
        this.#filled = 0
      }
    }
    done()
  }

  override _flush(done: TransformCallback): void {
    if (this.#filled > 0) this.push(this.#piece.subarray(0, this.#filled))
    done()
  }
}
