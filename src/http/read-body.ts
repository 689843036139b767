import type { Readable } from 'node:stream'
import { Problem } from '../domain/problem.ts'

/** Bytes that may be held for an organisation; false where there is no room for more. */
export interface BodyBudget {
  enter(organisation: string, bytes: number): boolean
  leave(organisation: string, bytes: number): void
}

/**
 * The whole body, in memory of its own. Bytes count against the budget as they arrive, so that many bodies at once cannot
 * take more memory than is set aside for them, and one that arrives slowly holds no more than has arrived.
 */
export async function readBody(
  payload: Readable,
  declaredBytes: number,
  maxBytes: number,
  organisation: string,
  budget: BodyBudget,
): Promise<Uint8Array> {
  if (declaredBytes > maxBytes) throw tooLarge(maxBytes)
  const chunks: Uint8Array[] = []
  let bytes = 0
  try {
    // What is left of a body that is refused is not read; its connection is closed after the answer.
    for await (const chunk of payload.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>) {
      if (!budget.enter(organisation, chunk.length))
        throw new Problem('overloaded', 'Too many bodies arrive at a time.', { retryAfterSeconds: 1 })
      bytes += chunk.length
      if (bytes > maxBytes) throw tooLarge(maxBytes)
      chunks.push(chunk)
    }
    return joined(chunks, bytes)
  } catch (error) {
    if (error instanceof Problem) throw error
    throw new Problem('bad-request', 'The body ended before its end.')
  } finally {
    budget.leave(organisation, bytes)
  }
}

function joined(chunks: readonly Uint8Array[], bytes: number): Uint8Array {
  const body = new Uint8Array(bytes)
  let to = 0
  for (const chunk of chunks) {
    body.set(chunk, to)
    to += chunk.length
  }
  return body
}

const tooLarge = (maxBytes: number) =>
  new Problem('body-too-large', `The body is larger than ${maxBytes} bytes, which this endpoint takes.`)
