import type { Batch } from './batch.ts'
import { decodeV1 } from './decode-v1.ts'
import { decodeV2 } from './decode-v2.ts'
import type { DecodeLimits } from './limits.ts'
import { MalformedRequest } from './malformed.ts'
import type { MessageFormat } from './negotiate.ts'
import type { Resolver } from './resolver.ts'
import { decompress } from './snappy.ts'
import { compress } from './snappy-compress.ts'

/**
 * Reads a request's body into a batch. Throws MalformedRequest for what can never be read, TooManySeries for what may be
 * later, and nothing else; the batch is of no use then. The message itself, valid until the next call.
 */
export function decodeRequest(
  body: Uint8Array,
  format: MessageFormat,
  resolver: Resolver,
  limits: DecodeLimits,
  batch: Batch,
): Uint8Array {
  batch.clear()
  const bytes = decompress(body, limits.maxBytes)
  try {
    if (format === 'remote-write-1') decodeV1(bytes, resolver, limits, batch)
    else decodeV2(bytes, resolver, limits, batch)
  } catch (error) {
    if (error instanceof RangeError)
      throw new MalformedRequest('not protobuf, or cut short', { cause: error })
    throw error
  }
  return bytes
}

/** A body without the series that were refused. */
export function withoutRefused(message: Uint8Array, { refused }: Batch): Uint8Array {
  const parts: Uint8Array[] = []
  let from = 0
  for (let index = 0; index < refused.length; index += 2) {
    parts.push(message.subarray(from, refused[index]))
    from = refused[index + 1]!
  }
  return compress(Buffer.concat([...parts, message.subarray(from)])).slice()
}
