import { decodeV1 } from './decode-v1.ts'
import { decodeV2 } from './decode-v2.ts'
import type { Resolver } from './resolver.ts'
import type { Batch } from './samples.ts'
import { compress, decompress } from './snappy.ts'
import { type DecodeLimits, MalformedRequest } from './wire.ts'

/**
 * Reads a request's body into a batch. Throws only MalformedRequest, if the body can never be read, or TooManySeries, if
 * it may be accepted later; the batch must not be used then. Returns the uncompressed message, which is valid until the
 * next call.
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

/** Returns a body without the series that were refused. */
export function withoutRefused(message: Uint8Array, { refused }: Batch): Uint8Array {
  const parts: Uint8Array[] = []
  let from = 0
  for (let index = 0; index < refused.length; index += 2) {
    parts.push(message.subarray(from, refused[index]))
    from = refused[index + 1]!
  }
  return compress(Buffer.concat([...parts, message.subarray(from)]))
}

export type MessageFormat = 'remote-write-1' | 'remote-write-2'

/**
 * The message that the headers announce. It is undefined if it is not supported, which the protocol answers with 415.
 * Remote write 1.0 senders do not name the message, and some do not name the encoding; the body is snappy even then.
 */
export function messageFormat(
  contentType: string | undefined,
  encoding: string | undefined,
): MessageFormat | undefined {
  if ((encoding ?? 'snappy').trim().toLowerCase() !== 'snappy') return undefined
  const [media, ...parameters] = (contentType ?? '').split(';').map((part) => part.trim())
  if (media?.toLowerCase() !== 'application/x-protobuf') return undefined
  const proto = parameters.find((parameter) => /^proto=/i.test(parameter))?.slice('proto='.length)
  return formats[(proto ?? 'prometheus.WriteRequest').replace(/^"(.*)"$/, '$1')]
}

const formats: Readonly<Record<string, MessageFormat | undefined>> = {
  __proto__: null as never,
  'prometheus.WriteRequest': 'remote-write-1',
  'io.prometheus.write.v2.Request': 'remote-write-2',
}

/**
 * The counts that a response reports as written, whether it is a success or not. Everything that is accepted counts as
 * written (prometheus.io/docs/specs/prw/remote_write_spec_2_0), also metrics, histograms and exemplars that are not used.
 * A sender that gets no count considers the whole request lost.
 */
export function writtenHeaders(written: {
  samples: number
  histograms: number
  exemplars: number
}): Record<string, string> {
  return {
    'X-Prometheus-Remote-Write-Samples-Written': String(written.samples),
    'X-Prometheus-Remote-Write-Histograms-Written': String(written.histograms),
    'X-Prometheus-Remote-Write-Exemplars-Written': String(written.exemplars),
  }
}
