import type { FastifyReply } from 'fastify'

declare module 'fastify' {
  interface FastifyReply {
    /** The buffer that the answer is written into, if it was borrowed. */
    borrowed: Buffer | null
  }
}

/**
 * Memory that large answers are written into, used again once they are sent. New memory for each would be most of what such
 * an answer costs: it lies outside the heap, and drives the garbage collector to go through all of the heap again and again.
 */
const free: Buffer[] = []
/** Twice an answer of twenty types with three offers each. */
const pieceBytes = 64 * 1024
const mostFree = 64

/** A buffer of at least this size for the response; its content is undefined. */
export function borrowBuffer(reply: FastifyReply, bytes: number): Buffer {
  if (bytes > pieceBytes) return Buffer.allocUnsafeSlow(bytes)
  reply.borrowed = free.pop() ?? Buffer.allocUnsafeSlow(pieceBytes)
  return reply.borrowed
}

/** When the connection is done with the answer. A buffer whose response was not sent completely may still be read: it is left to the garbage collector. */
export function returnBuffer(reply: FastifyReply): void {
  const { borrowed } = reply
  if (borrowed === null) return
  reply.borrowed = null
  if (reply.raw.writableFinished && free.length < mostFree) free.push(borrowed)
}
