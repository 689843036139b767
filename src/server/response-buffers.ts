import type { FastifyReply } from 'fastify'

declare module 'fastify' {
  interface FastifyReply {
    /** The borrowed buffer that the answer is written into, if any. */
    borrowed: Buffer | null
  }
}

/**
 * Buffers for large answers, reused after they are sent. Allocating one per answer would be most of the cost of such an
 * answer: it is outside the heap, and makes the garbage collector mark the whole heap again and again.
 */
const free: Buffer[] = []
/** Twice the size of an answer with twenty types and three offers for each. */
const pieceBytes = 64 * 1024
const mostFree = 64

/** A buffer of at least this size for the response; its content is undefined. */
export function borrowBuffer(reply: FastifyReply, bytes: number): Buffer {
  if (bytes > pieceBytes) return Buffer.allocUnsafeSlow(bytes)
  reply.borrowed = free.pop() ?? Buffer.allocUnsafeSlow(pieceBytes)
  return reply.borrowed
}

/**
 * To be called when the connection is done with the answer. If the answer was not sent completely, its buffer may still be
 * read, and is left to the garbage collector.
 */
export function returnBuffer(reply: FastifyReply): void {
  const { borrowed } = reply
  if (borrowed === null) return
  reply.borrowed = null
  if (reply.raw.writableFinished && free.length < mostFree) free.push(borrowed)
}
